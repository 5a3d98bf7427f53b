/** SQL that replacements and creations of user states share, with the parameters that both begin with. */
import { ceilingSql } from '../../../history/version-floors.ts';
import { parameters } from '../../connection/parameters.ts';
import { usageParts } from '../../usage/usage-sums.ts';

/** The first parameters of both. */
export const common = parameters(
  'accountId',
  'slug',
  'environment',
  'playerId',
  'stateBytes',
  /** The part of the usage that counts the player. */
  'part',
  /** The limit of bytes of an account without its own, and the margin below it. */
  'bytesMax',
  'marginBytes',
);
const at = common.at;

/** The environment with its limits. */
export const target = `
  SELECT environments.project_id, user_version_floor, user_version_ceiling,
    coalesce(storage_bytes_max, ${at.bytesMax}) AS bytes_max, end_users_max
  FROM accounts JOIN environments ON environments.account_id = accounts.account_id
  WHERE accounts.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}`;

/** The record that the statement finds. */
export const current = `
  SELECT user_states.version, user_states.state_bytes, user_states.history_bytes, user_states.is_linked FROM target
  JOIN user_states ON user_states.account_id = ${at.accountId} AND user_states.project_id = target.project_id
    AND user_states.environment = ${at.environment} AND user_states.end_user_id = ${at.playerId}`;

/**
 * A row if a token of the player may no longer write: `epoch` is that of the token, and `player` stands for the player. Null: no token
 * writes. Whoever ends tokens and erases the player changes the row of the record, or that of the bucket, which the statement locks: it
 * then finds the record deleted, or looks again.
 */
export const ending = (epoch: string, player: string) => `
  SELECT 1 FROM player_endings WHERE player_endings.account_id = ${at.accountId} AND player_endings.player_hash = ${player}::bytea
    AND player_endings.slug IN (${at.slug}, '') AND player_endings.environment IN (${at.environment}, -1)
    AND player_endings.ended_at > ${epoch}::bigint`;

/** Whether the player is not a guest: guests are counted in separate parts, and may use half of the account's limit. */
export const isOrdinary = `${at.part}::smallint < ${usageParts}`;

/** The part that counts a record: a player's part once a guest has signed up. Guests have the parts above. */
export const partOf = (record: string) =>
  `CASE WHEN ${record}.is_linked = 1 AND ${at.part}::smallint >= ${usageParts} THEN ${at.part}::smallint - ${usageParts}
      ELSE ${at.part}::smallint END`;

/** Raises the ceiling of the environment, if `version` has exceeded it; `floor` is that of the installation. */
export const raise = (version: string, floor: string, from: string) => `
  UPDATE environments
  SET user_version_ceiling =
    greatest(environments.user_version_ceiling, ${ceilingSql(version, 'environments.user_version_floor', floor)})
  FROM ${from}
  WHERE environments.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}
    AND environments.project_id = target.project_id AND target.user_version_ceiling < ${version}
  RETURNING 1`;
