/**
 * The current versions of many documents: one statement, regardless of their number. It names the accounts besides, so that a database of
 * several machines asks only theirs.
 */

import type { CurrentVersion, PublicStateKey, ReadOutcome } from '../../contract/public-states.ts';
import type { UserStateKey } from '../../contract/user-states.ts';
import { integerAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { outcomeOf, toCurrentVersion } from '../../rows/state-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { Database } from '../connection/database.ts';
import { arrayLiteral } from '../connection/query.ts';

/** The requested documents ($1), each with its number `n`, of the accounts $2, and the row of its environment in an existing account. */
const wanted = (column: string) => `
  json_to_recordset($1::text::json)
    AS wanted (n integer, account_id text, slug text, environment smallint${column})
  JOIN environments ON environments.account_id = wanted.account_id AND environments.account_id = ANY ($2::text[])
    AND environments.slug = wanted.slug AND environments.environment = wanted.environment
  JOIN accounts ON accounts.account_id = environments.account_id`;

const publicStatement = `
  SELECT n, project_id AS record_id, CASE WHEN is_present THEN version END AS version FROM ${wanted('')}`;

/** `+ 0`: states are found by their key, never through the index by creation, however few rows the table may seem to have. */
const userStatement = `
  SELECT n, user_states.record_id, user_states.version FROM ${wanted(', end_user_id text')}
  LEFT JOIN user_states ON user_states.account_id = environments.account_id AND user_states.account_id = ANY ($2::text[])
    AND user_states.project_id = environments.project_id AND user_states.end_user_id = wanted.end_user_id
    AND user_states.environment + 0 = wanted.environment`;

/** Returns the current versions of public state, in the order of `keys`. */
export function currentPublicVersions(
  database: Pick<Database, 'query'>,
  keys: readonly PublicStateKey[],
): Promise<ReadOutcome<CurrentVersion>[]> {
  return readVersions(database, publicStatement, keys, () => ({}));
}

/** Returns the current versions of user state, in the order of `keys`. */
export function currentUserVersions(
  database: Pick<Database, 'query'>,
  keys: readonly UserStateKey[],
): Promise<ReadOutcome<CurrentVersion>[]> {
  return readVersions(database, userStatement, keys, ({ playerId }) => ({ end_user_id: encodeText(playerId) }));
}

async function readVersions<Key extends PublicStateKey>(
  { query }: Pick<Database, 'query'>,
  statement: string,
  keys: readonly Key[],
  more: (key: Key) => Readonly<Record<string, string>>,
): Promise<ReadOutcome<CurrentVersion>[]> {
  if (keys.length === 0) return [];
  const given = keys.map((key, n) => {
    const { accountId, slug, environment } = key;
    return { n, account_id: accountId, slug, environment: environmentNumbers[environment], ...more(key) };
  });
  const accounts = arrayLiteral([...new Set(keys.map(({ accountId }) => accountId))]);
  const rows: Row[] = [];
  for (const row of await query(statement, [JSON.stringify(given), accounts])) rows[integerAt(row, 'n')] = row;
  return keys.map((_, n) => outcomeOf(rows[n], toCurrentVersion));
}
