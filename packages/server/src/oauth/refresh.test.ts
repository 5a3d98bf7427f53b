import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import { hashSecret } from '../common/secrets/secret-text.ts';
import { ensureProject } from '../storage/store-suite/harness.ts';
import { codeOf, familyOf, userKey } from '../storage/store-suite/sign-in/sign-in-records.ts';
import type { AccessTokens } from './access-token.ts';
import { createRefreshGrant } from './refresh.ts';
import { createSecretChain, refreshTokenText } from './refresh-token-text.ts';
import type { TokenOutcome, TokenRequest } from './token.ts';

const grace = 10_000;
const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const keys = { refresh: 'k'.repeat(16), other: 'o'.repeat(16) };

let at: StoreFixture;
beforeAll(async () => {
  at = await openStoreFixture();
  await ensureProject(at.store, userKey());
});
afterAll(() => at.dispose());

/** Signs somebody in, and returns the family with its token. */
async function signIn(name: string): Promise<{ familyId: string; token: string }> {
  const [familyId, secret] = [name.padEnd(22, '0'), name.padEnd(43, '0')];
  const code = codeOf('user-1');
  await at.store.addAuthorizationCode(hashSecret(name), code);
  await at.store.redeemAuthorizationCode(hashSecret(name), familyOf(familyId, code), hashSecret(secret), 1_000);
  return { familyId, token: refreshTokenText(familyId, secret) };
}

/** Returns a node with these keys, whose clock advances by some milliseconds whenever it is read. */
function newNode(secretKeys: readonly Uint8Array[], startsAt: number, stepMilliseconds = 0) {
  let clock = startsAt - stepMilliseconds;
  const signer = { signPlayerToken: () => 'an access token' };
  const grant = createRefreshGrant({
    store: at.store,
    accessTokens: { signer: async () => signer } as unknown as AccessTokens,
    secretChain: createSecretChain(secretKeys),
    projectCreatedAt: () => 1,
    accessTokenSeconds: 900,
    refreshReplayGraceSeconds: grace / 1000,
    admitsDeveloper: async () => true,
    now: () => (clock += stepMilliseconds),
  });
  return (token: string, idempotencyKey: string): Promise<TokenOutcome> => {
    const form = { get: (name: string) => (name === 'refresh_token' ? token : undefined), repeated: new Set<string>() };
    const count = { checkFamily: () => undefined } as unknown as TokenRequest['count'];
    const client = { clientId: 'acc_1.p', guestsOf: undefined, idleMilliseconds: 100_000, isSuspended: false };
    return grant(form, client, { idempotencyKey, clientName: '', count });
  };
}
const isAlive = async (familyId: string) => (await at.store.findRefreshFamily(familyId, 20_000)) !== undefined;

it('a repeat at a node whose first key is the other one gets the same token, even after the grace period', async () => {
  const { familyId, token } = await signIn('repeated');
  const first = await newNode([old, next], 2_000)(token, keys.refresh);
  const again = await newNode([next, old], 2_000 + 2 * grace)(token, keys.refresh);
  expect(first).toMatchObject({ kind: 'tokens', refresh_token: expect.any(String) });
  expect(again).toEqual(first);
  expect(await newNode([next], 2_000 + 2 * grace)(token, keys.refresh)).toMatchObject({ error: 'invalid_grant' });
  expect(await isAlive(familyId)).toBe(true);
});

it('a replay within the grace period ends no family, however long both keys take', async () => {
  const { familyId, token } = await signIn('replayed');
  await newNode([old, next], 2_000)(token, keys.refresh);
  const slow = newNode([next, old], 2_000 + grace, 1);
  expect(await slow(token, keys.other)).toMatchObject({ error: 'invalid_grant' });
  expect(await isAlive(familyId)).toBe(true);
  const late = newNode([next, old], 2_001 + grace);
  expect(await late(token, keys.other)).toMatchObject({ error: 'invalid_grant' });
  expect(await isAlive(familyId)).toBe(false);
});
