import { expect, test } from 'vitest';
import { exchangeMarkBytes, exchangeMarksMax } from '../../contract/sign-ins.ts';
import { type CreateStoreHarness, ensureProject, hashOf, project, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, nextOf, signIn, tokenOf, userKey } from './sign-in-records.ts';

/** What a family remembers of an exchange. */
const markOf = (exchange: string) => hashOf(exchange).slice(-exchangeMarkBytes);

export function repeatedExchanges(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const place = userKey();
  const replayed = { kind: 'replayed' };

  /** An exchange with a key, in a store without grace. Its result follows from the token and the key. */
  const exchange = (secret: string, key: string, { now = 2_000, notBefore = 0, store = at.store } = {}) => {
    const next = nextOf(`${secret}+${key}`);
    const repeat = { mark: markOf(`${key} of ${secret}`), notBefore };
    return store.consumeRefreshToken(tokenOf('f', secret), { ...next, repeat }, now, 0, { clientId: 'acc_1.p' });
  };
  const isAlive = async () => (await at.store.findRefreshFamily('f', 2_000)) !== undefined;
  async function begin() {
    await ensureProject(at.store, place);
    return signIn(at.store, 'f', codeOf('user-1'));
  }

  test('the same exchange can be repeated any number of times, across processes and restarts, and changes nothing', async () => {
    const family = { ...(await begin()), idleExpiresAt: 200_000 };
    expect(await exchange('f-0', 'k')).toEqual({ kind: 'consumed', family });
    for (const now of [2_000, 2_001, 60_000])
      expect(await exchange('f-0', 'k', { now })).toEqual({ kind: 'repeated', family });
    await at.reopen();
    expect(await exchange('f-0', 'k', { store: await at.openParallel() })).toEqual({ kind: 'repeated', family });
    expect(await exchange('f-0+k', 'k')).toEqual({ kind: 'consumed', family });
  });

  test('a repeat is refused once its new token has been used, and the family stays valid', async () => {
    await begin();
    await exchange('f-0', 'k');
    await exchange('f-0+k', 'l');
    expect(await exchange('f-0', 'k')).toEqual(replayed);
    expect((await exchange('f-0+k', 'l')).kind).toBe('repeated');
    expect((await at.store.consumeRefreshToken(tokenOf('f', 'f-0+k+l'), nextOf('x'), 2_000, 0)).kind).toBe('consumed');
    for (const [secret, key] of [
      ['f-0', 'k'],
      ['f-0+k', 'l'],
    ] as const)
      expect(await exchange(secret, key)).toEqual(replayed);
    expect((await exchange('x', 'm')).kind).toBe('consumed');
  });

  test('a repeat is refused if it is too late, and the family stays valid', async () => {
    await begin();
    await exchange('f-0', 'k', { now: 2_000 });
    expect((await exchange('f-0', 'k', { now: 3_000, notBefore: 2_000 })).kind).toBe('repeated');
    expect(await exchange('f-0', 'k', { now: 3_000, notBefore: 2_001 })).toEqual(replayed);
    expect((await exchange('f-0+k', 'l')).kind).toBe('consumed');
  });

  test('a repeat is refused if its token cannot be created again, and the family stays valid', async () => {
    await begin();
    await exchange('f-0', 'k');
    const other = { ...nextOf('of another installation'), repeat: { mark: markOf('k of f-0'), notBefore: 0 } };
    expect(await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), other, 2_000, 0)).toEqual(replayed);
    expect((await exchange('f-0', 'k')).kind).toBe('repeated');
  });

  test.each([
    ['with another key', 'f-0', 'l'],
    ['of a token exchanged without a key', 'f', 'k'],
    ['of a token never issued', 'g', 'k'],
  ])('a repeat %s is a replay and revokes the family', async (_, secret, key) => {
    await begin();
    await exchange('f-0', 'k');
    expect(await exchange(secret, key)).toEqual(replayed);
    expect(await isAlive()).toBe(false);
    expect(await exchange('f-0', 'k')).toEqual({ kind: 'unknown' });
  });

  test('a repeat without its key is a replay and revokes the family', async () => {
    await begin();
    await exchange('f-0', 'k');
    expect(await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('x'), 2_000, 0)).toEqual(replayed);
    expect(await isAlive()).toBe(false);
  });

  test('a token exchanged without a key cannot be repeated with one', async () => {
    await begin();
    await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-0+k'), 2_000, 0);
    expect(await exchange('f-0', 'k')).toEqual(replayed);
    expect(await isAlive()).toBe(false);
  });

  test('a repeat with other terms changes nothing', async () => {
    await begin();
    await exchange('f-0', 'k');
    const next = { ...nextOf('f-0+k'), repeat: { mark: markOf('k of f-0'), notBefore: 0 } };
    const other = at.store.consumeRefreshToken(tokenOf('f', 'f-0'), next, 2_000, 0, { scope: 'env:staging' });
    expect((await other).kind).toBe('mismatched');
    expect((await exchange('f-0', 'k')).kind).toBe('repeated');
  });

  test(`the latest ${exchangeMarksMax} exchanges with a key are known, however many without one come between`, async () => {
    await begin();
    let secret = 'f-0';
    for (let n = 0; n < exchangeMarksMax; n++) {
      expect((await exchange(secret, `k${n}`)).kind).toBe('consumed');
      await at.store.consumeRefreshToken(tokenOf('f', `${secret}+k${n}`), nextOf(`f-${n + 1}`), 2_000, 0);
      secret = `f-${n + 1}`;
    }
    for (let n = 0; n < exchangeMarksMax; n++) expect(await exchange(`f-${n}`, `k${n}`)).toEqual(replayed);
    expect((await exchange(secret, 'one more')).kind).toBe('consumed');
    expect(await exchange('f-1', 'k1')).toEqual(replayed);
    expect(await isAlive()).toBe(true);
    expect(await exchange('f-0', 'k0')).toEqual(replayed);
    expect(await isAlive()).toBe(false);
  });

  test('after the family, its project or its account has ended, no exchange can be repeated', async () => {
    await begin();
    await exchange('f-0', 'k');
    await at.store.revokeRefreshFamily('f', 2_000);
    expect(await exchange('f-0', 'k')).toEqual({ kind: 'unknown' });
    await signIn(at.store, 'g', codeOf('user-1'));
    const repeat = { mark: markOf('g'), notBefore: 0 };
    const again = () => at.store.consumeRefreshToken(tokenOf('g', 'g-0'), { ...nextOf('g-1'), repeat }, 2_000, 0);
    expect([(await again()).kind, (await again()).kind]).toEqual(['consumed', 'repeated']);
    await at.store.deleteProject(byOperator, place);
    await at.store.createProject(byOperator, project());
    expect(await again()).toEqual({ kind: 'unknown' });
  });

  test('of 100 parallel exchanges on two processes, one is carried out; the rest are repeats only with the same key', async () => {
    const beside = await at.openParallel();
    await begin();
    const race = (secret: string, keyOf: (n: number) => string) =>
      Promise.all(
        Array.from({ length: 100 }, (_, n) => exchange(secret, keyOf(n), { store: n % 2 === 0 ? at.store : beside })),
      );
    const kinds = (outcomes: readonly { readonly kind: string }[]) => {
      const count = (kind: string) => outcomes.filter((outcome) => outcome.kind === kind).length;
      return [count('consumed'), count('repeated'), count('replayed') + count('unknown')];
    };
    expect(kinds(await race('f-0', () => 'k'))).toEqual([1, 99, 0]);
    expect(await isAlive()).toBe(true);
    expect(kinds(await race('f-0+k', (n) => `k${n}`))).toEqual([1, 0, 99]);
  });
}
