import { expect, it } from 'vitest';
import type { PlayerPrincipal } from '../access/principal.ts';
import { deleteMe } from './me.ts';
import type { ErasureStore } from './player.ts';

const now = 1_800_000_000_000;
const player: PlayerPrincipal = {
  kind: 'end_user',
  credentialId: 'ada',
  expiresAtMs: now + 900_000,
  accountId: 'acc_1',
  slug: 'game',
  environment: 'production',
  userId: 'ada',
  isGuest: false,
  issuedAtMs: now,
  epoch: now,
  signedInAtMs: now,
  playerMark: 'k',
};
const by = { actor: { kind: 'end_user', id: 'ada', name: null }, requestId: 'r', at: now } as const;

/** A store whose deletion of a player ends like this. */
const storeWith = (outcome: Awaited<ReturnType<ErasureStore['deletePlayer']>>): ErasureStore => ({
  shortenHistories: async () => 0,
  deletePlayer: async () => outcome,
  unlinkErased: async () => false,
});

it.each([
  ['no_project', 'not_found', 'the account has no project'],
  ['token_ended', 'unauthorized', /sign/],
] as const)('a deletion that ends with %s is refused as %s', async (outcome, code, message) => {
  await expect(deleteMe(storeWith(outcome), by, player)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

it.each(['deleted', 'links_left'] as const)('a deletion that ends with %s is done', async (outcome) => {
  await expect(deleteMe(storeWith(outcome), by, player)).resolves.toBeUndefined();
});

it.each([
  [600_000 - 1, true],
  [600_000, false],
])('%d ms after a sign-in, a deletion is allowed: %j', async (milliseconds, isAllowed) => {
  const deletion = deleteMe(storeWith('deleted'), { ...by, at: now + milliseconds }, player);
  if (isAllowed) await expect(deletion).resolves.toBeUndefined();
  else await expect(deletion).rejects.toMatchObject({ code: 'sign_in_again' });
});
