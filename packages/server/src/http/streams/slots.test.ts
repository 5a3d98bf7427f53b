import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../common/requests/refusal.ts';
import { type Holder, type Occupant, Slots } from './slots.ts';

/** A developer or a secret key, which belong to the account itself. */
const own = (account: string, subject = account): Holder => ({
  account,
  subject,
  isSharedCredential: false,
  network: undefined,
});
/** A client with a publishable key, in the /64 network `n` of a /48. */
const stranger = (account: string, network: string, n = 0): Holder => ({
  account,
  subject: `key ${network}:${n}`,
  isSharedCredential: true,
  network,
});

function room(streamsMax: number) {
  const slots = new Slots<Occupant>({ streamsMax, random: Math.random });
  const ended: Occupant[] = [];
  const open = (holder: Holder): Occupant => {
    slots.check(holder);
    const stream: Occupant = { holder, evict: () => void ended.push(stream) };
    slots.add(stream);
    return stream;
  };
  const refused = (holder: Holder) => {
    try {
      open(holder);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(5);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(30);
      return error.code;
    }
  };
  const endedSubjects = () => ended.map(({ holder }) => holder.subject);
  return { slots, open, refused, ended, endedSubjects };
}

test('a credential has a thousand streams, and a new one for each closed one', () => {
  const { slots, open, refused } = room(20_000);
  const [first] = Array.from({ length: 1_000 }, () => open(own('a', 'key 1')));
  expect(refused(own('a', 'key 1'))).toBe('rate_limited');
  expect(refused(own('a', 'key 2'))).toBeUndefined();
  if (first !== undefined) slots.delete(first);
  expect(refused(own('a', 'key 1'))).toBeUndefined();
  expect(refused(own('a', 'key 1'))).toBe('rate_limited');
});

test('an address has fifty streams with a shared credential', () => {
  const { open, refused } = room(20_000);
  for (let i = 0; i < 50; i++) open(stranger('a', 'home'));
  expect(refused(stranger('a', 'home'))).toBe('rate_limited');
  expect(refused(stranger('a', 'home', 1))).toBeUndefined();
});

test('a stream closed twice frees one slot', () => {
  const { slots, open } = room(10);
  const stream = open(own('a'));
  open(own('a'));
  slots.delete(stream);
  slots.delete(stream);
  expect(slots.size).toBe(1);
});

describe('with all slots taken', () => {
  test('an account with fewer streams gets one from the account with the most', () => {
    const { slots, open, refused, ended } = room(6);
    for (let i = 0; i < 5; i++) open(own('large', `key ${i}`));
    open(own('small'));
    expect(refused(own('large'))).toBe('service_unavailable');
    expect(refused(own('new'))).toBeUndefined();
    expect(refused(own('small'))).toBeUndefined();
    expect(ended.map(({ holder }) => holder.account)).toEqual(['large', 'large']);
    expect(slots.size).toBe(6);
    expect(refused(own('large'))).toBe('service_unavailable');
    expect([refused(own('small')), refused(own('new'))]).toEqual(['service_unavailable', undefined]);
    expect(slots.size).toBe(6);
  });

  test('one home network yields to another: the oldest stream of its largest holder', () => {
    const { open, refused, ended } = room(10);
    const streams = [0, 0, 0, 0, 1, 1, 2, 2, 2].map((n) => open(stranger('game', 'home', n)));
    expect([refused(stranger('game', 'home', 0)), refused(stranger('game', 'home', 3))]).toEqual([
      'service_unavailable',
      undefined,
    ]);
    expect(refused(stranger('game', 'elsewhere'))).toBeUndefined();
    expect(refused(stranger('game', 'far'))).toBeUndefined();
    expect(ended[0]).toBe(streams[0]);
    expect(ended.map(({ holder }) => holder.subject.at(-1))).toEqual(['0', '2', '0']);
    expect(refused(stranger('game', 'home'))).toBe('service_unavailable');
  });

  test("some slots are reserved for an account's own streams; those may also displace its players, never the reverse", () => {
    const { open, refused, ended } = room(40);
    for (let i = 0; i < 38; i++) open(stranger('game', `player ${i}`));
    expect(refused(stranger('game', 'player 38'))).toBe('service_unavailable');
    for (let i = 0; i < 2; i++) open(own('game', `server ${i}`));
    expect(ended).toEqual([]);
    for (let i = 2; i < 20; i++) expect(refused(own('game', `server ${i}`))).toBeUndefined();
    expect(new Set(ended.map(({ holder }) => holder.network)).size).toBe(18);
    expect(ended[0]?.holder.network).toBe('player 0');
    expect(refused(own('game', 'server 20'))).toBe('service_unavailable');
    for (const stream of ended) expect(refused(stream.holder)).toBe('service_unavailable');
    expect(refused(own('game', 'server 20'))).toBe('service_unavailable');
    expect(ended.length).toBe(18);
  });
});

describe('in any sequence of streams', () => {
  const holders = fc
    .record({
      account: fc.constantFrom('a', 'b', 'c'),
      network: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
      n: fc.nat(2),
    })
    .map(({ account, network, n }) => (network === undefined ? own(account, `key ${n}`) : stranger(account, network, n)));
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: holders.map((holder) => ({ holder, close: -1 })) },
      { weight: 1, arbitrary: fc.nat().map((close) => ({ holder: undefined, close })) },
    ),
    { maxLength: 80 },
  );
  const side = ({ network }: Holder) => (network === undefined ? 'own' : 'strangers');
  /** The levels of comparison, from accounts down: at each, the newcomer's group is compared with its siblings. */
  const levels: readonly ((holder: Holder) => string)[] = [
    ({ account }) => account,
    (holder) => `${holder.account} ${side(holder)}`,
    (holder) => `${holder.account} ${side(holder)} ${holder.network}`,
    (holder) => `${holder.account} ${side(holder)} ${holder.network} ${holder.subject}`,
  ];

  /** The stream counts of the groups at a level that share all higher groups with the newcomer. */
  function sizesBeside(level: number, newcomer: Holder, streams: readonly Occupant[]): Map<string, number> {
    const name = levels[level] as (holder: Holder) => string;
    const above = level === 0 ? () => '' : (levels[level - 1] as (holder: Holder) => string);
    const sizes = new Map([[name(newcomer), 0]]);
    for (const { holder } of streams) {
      if (above(holder) === above(newcomer)) sizes.set(name(holder), (sizes.get(name(holder)) ?? 0) + 1);
    }
    return sizes;
  }

  /** The level at which a group has enough more streams than the newcomer's group that it gives up one; undefined if none does. */
  function levelOfYield(newcomer: Holder, streams: readonly Occupant[]): number | undefined {
    for (const [level, name] of levels.entries()) {
      const sizes = sizesBeside(level, newcomer, streams);
      const most = Math.max(...sizes.values());
      const isGuarded = level === 1 && newcomer.network !== undefined;
      if (!isGuarded && most >= (sizes.get(name(newcomer)) as number) + 2) return level;
    }
    return undefined;
  }

  test('the largest holder yields to one who would still have fewer, and nobody is refused otherwise', () => {
    const streamsMax = 20;
    const check = (taken: readonly { holder: Holder | undefined; close: number }[]) => {
      const { slots, refused, ended } = room(streamsMax);
      for (const { holder, close } of taken) {
        const before = [...slots.all()];
        if (holder === undefined) {
          if (before.length > 0) slots.delete(before[close % before.length] as Occupant);
          continue;
        }
        const endedBefore = ended.length;
        const code = refused(holder);
        const after = [...slots.all()];
        expect(slots.size).toBe(after.length);
        const hasRoom = before.length < (holder.network === undefined ? streamsMax : streamsMax - 1);
        const level = hasRoom ? undefined : levelOfYield(holder, before);
        expect(code).toBe(hasRoom || level !== undefined ? undefined : 'service_unavailable');
        expect(ended.length - endedBefore).toBe(level === undefined ? 0 : 1);
        const yielded = ended[endedBefore];
        if (level === undefined || yielded === undefined) continue;
        // From there on, at each level, the evicted stream belongs to a group with the most streams.
        for (let at = level; at < levels.length; at++) {
          const name = levels[at] as (holder: Holder) => string;
          const sizes = sizesBeside(at, at === level ? holder : yielded.holder, before);
          expect(sizes.get(name(yielded.holder))).toBe(Math.max(...sizes.values()));
        }
        const same = before.filter(({ holder: one }) => levels[3]?.(one) === levels[3]?.(yielded.holder));
        expect(same[0]).toBe(yielded);
      }
    };
    fc.assert(fc.property(steps, check), { numRuns: 300 });
  });

  test('displaced streams that reconnect take slots only until all have their share', () => {
    const check = (comers: readonly Holder[]) => {
      const { ended, refused } = room(12);
      for (const holder of comers) refused(holder);
      let rounds = 0;
      for (let waiting = ended.splice(0); waiting.length > 0; waiting = ended.splice(0)) {
        for (const { holder } of waiting) refused(holder);
        expect(++rounds).toBeLessThan(12);
      }
    };
    fc.assert(fc.property(fc.array(holders, { minLength: 12, maxLength: 60 }), check), { numRuns: 300 });
  });
});
