/**
 * The current versions of many documents: one statement, regardless of their number. The limits make the database look up every row by its
 * key, however few rows the tables may seem to have.
 */

import type { UserStateKey } from '../../contract/user-state-store.ts';
import { integerAt } from '../../rows/columns.ts';
import { encodeText, environmentNumbers, outcomeOf, type Row, toCurrentVersion } from '../../rows/rows.ts';
import type { CurrentVersion, PublicStateKey, ReadOutcome } from '../../store.ts';
import type { Database } from '../connection/database.ts';

/** The requested documents ($1), each with its number `n`, and the row of its environment in an existing account. */
const wanted = (column: string) => `
  json_to_recordset($1::text::json)
    AS wanted (n integer, account_id text, slug text, environment smallint${column})
  JOIN LATERAL (SELECT 1 FROM accounts WHERE accounts.account_id = wanted.account_id LIMIT 1) AS account ON true
  JOIN LATERAL (
    SELECT project_id, version, is_present FROM environments
    WHERE environments.account_id = wanted.account_id AND environments.slug = wanted.slug
      AND environments.environment = wanted.environment
    LIMIT 1
  ) AS found ON true`;

const publicStatement = `
  SELECT n, project_id AS record_id, CASE WHEN is_present THEN version END AS version FROM ${wanted('')}`;

const userStatement = `
  SELECT n, state.record_id, state.version FROM ${wanted(', end_user_id text')}
  LEFT JOIN LATERAL (
    SELECT record_id, version FROM user_states
    WHERE user_states.account_id = wanted.account_id AND user_states.project_id = found.project_id
      AND user_states.end_user_id = wanted.end_user_id AND user_states.environment = wanted.environment
    LIMIT 1
  ) AS state ON true`;

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
  const rows: Row[] = [];
  for (const row of await query(statement, [JSON.stringify(given)])) rows[integerAt(row, 'n')] = row;
  return keys.map((_, n) => outcomeOf(rows[n], toCurrentVersion));
}
