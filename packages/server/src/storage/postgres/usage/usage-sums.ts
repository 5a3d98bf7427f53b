/** Usage is counted in rows that writes of state change anyway. Reads add them up. */
import { createHmac } from 'node:crypto';
import { isGuestId, partOfGuestsSql } from '../../contract/guests.ts';
import type { UserStateKey } from '../../contract/user-states.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { countedBesideStates } from '../../rows/usage-rows.ts';

/** SQL: the bytes of all states in the account of this parameter, in its living projects. */
export const stateBytesOf = (account: string): string => `(
  (SELECT coalesce(sum(kept_bytes), 0) FROM environments WHERE account_id = ${account})
  + (SELECT coalesce(sum(bytes), 0) FROM user_usage JOIN projects USING (account_id, project_id) WHERE account_id = ${account})
)::bigint`;

/** SQL: the same with the counted bytes of the account's audit records. */
export const storageBytesOf = (account: string): string =>
  `(${stateBytesOf(account)} + (SELECT coalesce(sum(${countedBesideStates}), 0) FROM accounts AS audited WHERE audited.account_id = ${account}))::bigint`;

/** SQL: the players with state in the account of this parameter, in its living projects. */
export const playersOf = (account: string): string => `(
  SELECT coalesce(sum(end_users), 0) FROM user_usage JOIN projects USING (account_id, project_id) WHERE account_id = ${account}
)::bigint`;

/** How many rows of `user_usage` count the players of one project; as many more count its guests. */
export const usageParts = 16;

/** SQL: the bytes of the states of guests in the account of this parameter, in its living projects. */
export const guestBytesOf = (account: string): string => `(
  SELECT coalesce(sum(bytes), 0) FROM user_usage JOIN projects USING (account_id, project_id)
  WHERE account_id = ${account} AND part >= ${usageParts}
)::bigint`;

/** SQL: the guests with state in the account of this parameter, in its living projects. */
export const guestsOf = (account: string): string => `(
  SELECT coalesce(sum(end_users), 0) FROM user_usage JOIN projects USING (account_id, project_id)
  WHERE account_id = ${account} AND part >= ${usageParts}
)::bigint`;

/** SQL: whether the account has room for so many more bytes; `bytes_max` is its limit. */
export const fitsBytes = (account: string, added: string): string => `${storageBytesOf(account)} + ${added} <= bytes_max`;

/** SQL: whether its guests have. */
export const fitsGuestBytes = (account: string, added: string): string =>
  `${guestBytesOf(account)} + ${added} <= ${partOfGuestsSql('bytes_max')}`;

/** SQL: whether the account has room for so many more players; `max` is its limit. */
export const fitsPlayers = (account: string, added: string, max: string): string =>
  `${playersOf(account)} + ${added} <= ${max}`;

/** SQL: whether it has room for so many more guests. */
export const fitsGuests = (account: string, added: string, max: string): string =>
  `${guestsOf(account)} + ${added} <= ${partOfGuestsSql(max)}`;

/** The bucket of a player: 12 bits of a keyed hash, unrelated to the same player's buckets elsewhere. */
export function bucketOf(secret: Uint8Array, { accountId, slug, playerId }: Omit<UserStateKey, 'environment'>): number {
  const mac = createHmac('sha256', secret)
    .update(`${accountId}/${slug}/${encodeText(playerId)}`)
    .digest();
  return mac.readUInt16BE(0) >> 4;
}

/** The row of `user_usage` that counts a player of this bucket. */
export const usagePartOf = (bucket: number, playerId: string): number =>
  (bucket % usageParts) + (isGuestId(playerId) ? usageParts : 0);
