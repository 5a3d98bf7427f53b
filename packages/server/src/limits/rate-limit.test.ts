import { describe, expect, test } from 'vitest';
import type { Principal } from '../access/principal.ts';
import { openStoreFixture } from '../access/store.fixture.ts';
import { createLimits } from './limits.ts';
import { addressOf, takeOfEach } from './many-addresses.fixture.ts';
import { type Allowance, allowanceHeaders, RateLimit } from './rate-limit.ts';
import { createSharedWindows } from './shared-windows.fixture.ts';

test('the least recent of more than 100,000 addresses are forgotten', async () => {
  const { store, dispose } = await openStoreFixture();
  const limit = takeOfEach(store, 100_050);
  expect(limit.peek(addressOf(0))).toBeUndefined();
  expect(limit.peek(addressOf(49))).toBeUndefined();
  expect(limit.peek(addressOf(50))?.remaining).toBe(4);
  await dispose();
});

/** The remainder after the limit has counted a request. */
async function take(limit: RateLimit, perMinute = 100, name = 'n'): Promise<Allowance> {
  const allowances: Allowance[] = [];
  await limit.take(name, perMinute, (allowance) => allowances.push(allowance));
  return allowances[0] as Allowance;
}

/** The remainder of a limit that does not ask the store now. */
function takeNow(limit: RateLimit, perMinute = 100): Allowance {
  const allowances: Allowance[] = [];
  expect(limit.take('n', perMinute, (allowance) => allowances.push(allowance))).toBeUndefined();
  return allowances[0] as Allowance;
}

describe('a limit shared by several processes', () => {
  const clock = { now: 1_000_000 };
  const limitsOver = (store = createSharedWindows()) =>
    [0, 1].map(() => new RateLimit({ store, name: 'l', now: () => clock.now })) as [RateLimit, RateLimit];

  test('admits exactly the limit over all of them, and tells the others when to retry', async () => {
    const [one, other] = limitsOver();
    const takes = Array.from({ length: 300 }, async (_, i) => take(i % 3 === 0 ? one : other));
    const allowances = await Promise.all(takes);
    expect(allowances.filter(({ remaining }) => remaining >= 0)).toHaveLength(100);
    clock.now += 20_000;
    for (const limit of [one, other]) {
      expect(takeNow(limit)).toEqual({ limit: 100, remaining: -1, resetSeconds: 40 });
      expect(limit.peek('n')?.remaining).toBe(0);
      expect((await take(limit, 100, 'another')).remaining).toBeGreaterThan(0);
    }
  });

  test('counts the requests of others as of its last share, and is exact on its own', async () => {
    const [one, other] = limitsOver();
    const left: number[] = [];
    for (let i = 0; i < 100; i++) left.push((await take(one)).remaining);
    expect(left).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
    expect(other.peek('n')).toBeUndefined();
    expect((await take(other)).remaining).toBe(-1);
  });

  test('asks the store for one request in fifty, and for no refused one', async () => {
    const store = createSharedWindows();
    const [one] = limitsOver(store);
    for (let i = 0; i < 1_000; i++) await take(one, 1_000);
    expect(store.demands).toBe(50);
    for (let i = 0; i < 1_000; i++) expect(takeNow(one, 1_000).remaining).toBe(-1);
    expect(store.demands).toBe(50);
  });

  test('never says more than a minute, even if the clock of another process is ahead', async () => {
    const store = createSharedWindows();
    const [early, late] = [5_000, 0].map((ahead) => new RateLimit({ store, name: 'l', now: () => clock.now + ahead })) as [
      RateLimit,
      RateLimit,
    ];
    await take(early, 9);
    expect(allowanceHeaders(await take(late, 9))).toEqual([
      'RateLimit-Policy',
      '"minute";q=9;w=60',
      'RateLimit',
      '"minute";r=7;t=60',
    ]);
  });
});

test('a name with another limit than before begins another window, and the store keeps the count', async () => {
  const limit = new RateLimit({ store: createSharedWindows(), name: 'l', now: () => 1_000 });
  expect(await take(limit, 5)).toMatchObject({ limit: 5, remaining: 4 });
  expect(await take(limit, 3)).toMatchObject({ limit: 3, remaining: 1 });
});

test('keys with one id in two accounts, and people with one name, are counted separately', async () => {
  const limits = createLimits({
    store: createSharedWindows(),
    subjectPerMinute: 5,
    addressPerMinute: 5,
    trustedProxies: undefined,
    now: () => 1_000,
  });
  const origin = { peerAddress: '192.0.2.1', forwardedFor: undefined };
  const left = async (principal: object, count: 'countSubject' | 'countHolder') => {
    const found: number[] = [];
    const note = ({ remaining }: Allowance) => void found.push(remaining);
    if (count === 'countSubject') await limits.countSubject(principal as Principal, note);
    else await limits.countHolder(principal as Principal, origin, note);
    return found;
  };
  const key = { kind: 'api_key', keyId: 'key_1', credentialId: 'key_1', slug: 'p', keyKind: 'secret' };
  const user = { kind: 'end_user', slug: 'p', environment: 'production', userId: 'u', isGuest: false };
  const developer = { kind: 'developer', subject: 'u' };
  for (const each of [{ ...key, requestsPerMinute: null }, { ...key, requestsPerMinute: 5 }, user, developer])
    for (const accountId of ['acc_1', 'acc_2']) expect(await left({ ...each, accountId }, 'countSubject')).toEqual([4]);
  const publishable = { ...key, keyKind: 'publishable', requestsPerMinute: null };
  for (const each of [publishable, { ...user, isGuest: true }])
    for (const accountId of ['acc_1', 'acc_2']) expect(await left({ ...each, accountId }, 'countHolder')).toEqual([4]);
});
