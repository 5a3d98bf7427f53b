/** Links from identities to players, and upgrades of guests to players who can sign in. */
import { playerChange } from '../../caches/access-changes.ts';
import { isGuestId, type LinkOutcome } from '../../contract/guests.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import type { RefreshFamily } from '../../contract/sign-ins.ts';
import { decodedTextAt, integerAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { lockUser } from '../locks.ts';
import { redeemCode } from '../sign-in/sign-ins.ts';
import { hasUserStates } from '../states/user-state-rows.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { storeEvent } from '../webhooks/webhook-queue.ts';
import { isBlockedAnywhere } from './player-blocks.ts';
import { idKey } from './player-keys.ts';
import { areTokensRevoked, revokePlayerTokens } from './player-revocations.ts';
import { moveSignIns } from './project-players.ts';

/** Returns the player that a subject stands for; undefined if nothing was linked. */
export function* findPlayer(_: unknown, accountId: string, subject: string): Steps<string | undefined> {
  // No row: nothing was linked.
  const row = yield* first('SELECT player_id FROM player_links WHERE account_id = $1 AND subject = $2', [
    accountId,
    encodeText(subject),
  ]);
  return row && decodedTextAt(row, 'player_id');
}

/** The subjects of the identities that sign a player in. */
function* identitiesOf(engine: Setting['engine'], accountId: string, playerId: string): Steps<readonly string[]> {
  // A row for each identity that stands for the player, but none for merged guests, who may be many.
  const rows = yield* all(
    `SELECT subject FROM player_links WHERE account_id = $1 AND player_id = $2 AND NOT ${engine.isGuest('subject')}`,
    [accountId, encodeText(playerId)],
  );
  const linked = rows.map((row) => decodedTextAt(row, 'subject'));
  return isGuestId(playerId) ? linked : [playerId, ...linked];
}

/** Whether a player's only identity can be given to a different player without any loss. Locks the records that decide this. */
function* isUnclaimed({ engine }: Setting, accountId: string, playerId: string, now: number): Steps<boolean> {
  if (yield* isBlockedAnywhere(accountId, playerId, now)) return false;
  const [identity, ...others] = yield* identitiesOf(engine, accountId, playerId);
  if (identity === undefined || others.length > 0) return false;
  const user = yield* lockUser(accountId, identity);
  if (user !== undefined) {
    const links = yield* one(
      'SELECT count(*) AS links FROM federated_identities WHERE directory_id = $1 AND user_id = $2',
      [accountId, identity],
    );
    if ((user.password_hash === null ? 0 : 1) + integerAt({ links: Number(links.links) }, 'links') > 1) return false;
  }
  yield* engine.lockFirstWrites(accountId, playerId);
  return !(yield* hasUserStates({ engine }, accountId, playerId));
}

/** Makes every subject of a player stand for a different player. */
function* replacePlayer(accountId: string, from: string, to: string, now: number): Steps<void> {
  const [fromText, toText] = [encodeText(from), encodeText(to)];
  // Any number of rows: a row for each provider.
  yield* all('UPDATE identities SET end_user_id = $3, id_key = $4 WHERE account_id = $1 AND end_user_id = $2', [
    accountId,
    fromText,
    toText,
    idKey(to),
  ]);
  yield* moveSignIns(accountId, from, to);
  // Any number of rows.
  yield* all('UPDATE player_links SET player_id = $3 WHERE account_id = $1 AND player_id = $2', [
    accountId,
    fromText,
    toText,
  ]);
  // One row each, unless it was among the rows above.
  const add = `INSERT INTO player_links (account_id, subject, player_id, linked_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, subject) DO NOTHING`;
  yield* all(add, [accountId, fromText, toText, now]);
  yield* all(add, [accountId, toText, toText, now]);
}

/** Makes a guest stand for the player who now owns the guest's user states. */
export function* retireGuest(accountId: string, guestId: string, playerId: string, now: number): Steps<void> {
  // One row, always: the account is locked, and the guest was not retired.
  yield* all('INSERT INTO player_links (account_id, subject, player_id, linked_at) VALUES ($1, $2, $3, $4)', [
    accountId,
    encodeText(guestId),
    encodeText(playerId),
    now,
  ]);
}

/** The account is locked, so links of one account are created one at a time, and no code is added in the meantime. */
function* redeemLinking(
  setting: Setting,
  codeHash: Uint8Array,
  family: RefreshFamily,
  secretHash: Uint8Array,
  { guestId, epoch }: { readonly guestId: string; readonly epoch: number },
  now: number,
): Steps<LinkOutcome> {
  const { engine } = setting;
  const { accountId, slug, environment, subject: playerId } = family;
  if (slug === null || environment === null) return { kind: 'unknown' };
  // The guest's proof is from before its tokens ended.
  if (yield* areTokensRevoked({ accountId, slug, environment, playerId: guestId }, epoch)) return { kind: 'ended' };
  const current = yield* findPlayer(undefined, accountId, playerId);
  // The code was issued while the identity moved to a different player.
  if (current !== undefined && current !== playerId) return { kind: 'unknown' };
  const retired = yield* findPlayer(undefined, accountId, guestId);
  if (retired !== undefined && (retired !== guestId || playerId !== guestId)) return { kind: 'guest_upgraded' };
  const redeem = function* (kind: 'linked' | 'in_use', subject: string, of = family): Steps<LinkOutcome> {
    const redeemed = yield* redeemCode(setting, codeHash, of, secretHash, now);
    return redeemed === 'redeemed' ? { kind, subject } : { kind: redeemed };
  };
  if (retired !== undefined) return yield* redeem('linked', guestId);
  if (yield* isBlockedAnywhere(accountId, guestId, now)) return { kind: 'blocked' };
  if (!(yield* isUnclaimed(setting, accountId, playerId, now))) return yield* redeem('in_use', playerId);
  // No row: the code was spent or has expired, which the exchange will find.
  const moved = yield* first(engine.signIns.changeSubject, [codeHash, encodeText(guestId), now]);
  if (moved === undefined) return yield* redeem('in_use', playerId);
  // First, since it ends the sign-ins of the identity's own player.
  yield* revokePlayerTokens(setting, { accountId, slug: null, environment: null }, playerId, now);
  yield* replacePlayer(accountId, playerId, guestId, now);
  yield* engine.countAsOrdinary(accountId, guestId);
  yield* storeEvent({ accountId, slug }, { type: 'player.upgraded', at: now, data: { endUserId: guestId } });
  return yield* redeem('linked', guestId, { ...family, subject: guestId, epoch });
}

export const playerLinkVerbs = {
  /**
   * The player that a subject now stands for: the player with the same id, if nothing was linked. A guest whose key is retired also stands
   * for a player, perhaps with the same id. Undefined while the guest's key is valid.
   */
  findLinkedPlayer: smallRead(findPlayer),
  /**
   * Spends a code as `redeemAuthorizationCode` does. If the signed-in identity is unused, it becomes the guest's sign-in method in the same
   * step, the family belongs to the guest, and the sign-ins of the identity's previous player end. An identity is unused if its player has
   * no state in the account and no other sign-in method. The guest's states then count as a player's.
   */
  redeemCodeLinking: write(redeemLinking, {
    locks: (_, family) => ofItsAccount(family),
    invalidates: (_, { accountId, subject }) => playerChange({ accountId, slug: null }, subject),
    isWithoutEffect: ({ kind }) => kind !== 'linked',
  }),
};
