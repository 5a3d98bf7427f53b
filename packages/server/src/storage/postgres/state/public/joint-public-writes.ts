/** Writes of several environments of one account in one statement and one commit. */
import { nextVersionSql } from '../../../history/version-floors.ts';
import { integerAt, type Row } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { parameters, valuesOf } from '../../connection/parameters.ts';
import type { Query } from '../../connection/query.ts';
import { fitsBytes } from '../../usage/usage-sums.ts';
import { outcomeOf, type PublicStateWrite, type PublicStateWritten } from './public-state-outcomes.ts';
import { appendVersion, followsOn, isCollectedFor, isExpected, versionValues } from './public-state-sql.ts';

const joint = parameters('accountId', 'given', 'bytesMax', 'neededBytes', 'versionFloor');
const at = joint.at;

const givenNames = { environment: 'given.environment', expected: 'given.expected', basis: 'given.basis' };

/**
 * Writes several environments of one account, each given in the list `given` under its number `n`. `neededBytes` is the room that the account
 * must have left for all of them, including margin.
 *
 * A row locked by another transaction is skipped, and its write gets a separate statement. A statement that holds rows therefore never
 * waits for another one, no two block each other, and a contended environment does not delay the rest. Everything written to is locked by
 * then and exists; the INSERT never creates a row of an environment. It is used because it finds its rows by their key whatever the planner
 * assumes, which an UPDATE with a join does not promise.
 *
 * Why both forms: measured with a writer for each of 64 documents of one account, 2 KB each, on two cores with the database. If a commit
 * takes 1 ms longer, as on a disk over a network, this form makes 5,350 writes a second, and separate statements 3,100; if it takes 4 ms
 * longer, 4,380 and 1,210. It takes 46 µs of this process a write instead of 84. If commits cost nothing, it is 7 % slower. For writers of
 * one document there is no difference, since their writes are never combined. In this form a single write costs the database 27 % more
 * processor time (21 % with parameters instead of JSON), and one writer makes 16 % fewer writes a second.
 */
const text = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset(${at.given}::text::json) AS given (n integer, slug text, environment smallint,
      expected bigint, written_at bigint, state_bytes bigint, depth smallint, checksum integer, basis integer,
      author text, comment text, comment_bytes bigint, subscribers text, state text)
  ), target AS (
    SELECT given.n, given.environment, found.*, coalesce(storage_bytes_max, ${at.bytesMax}) AS bytes_max
    FROM accounts CROSS JOIN given JOIN LATERAL (
      SELECT project_id, version, is_present FROM environments
      WHERE environments.account_id = ${at.accountId} AND environments.slug = given.slug AND environments.environment = given.environment
      LIMIT 1
    ) AS found ON true
    WHERE accounts.account_id = ${at.accountId}
  ), held AS (
    SELECT given.slug, given.environment, given.state_bytes + given.comment_bytes AS bytes, free.*
    FROM (SELECT 1 FROM target WHERE bytes_max = 0 OR ${fitsBytes(at.accountId, `${at.neededBytes}::bigint`)} LIMIT 1) AS room
    CROSS JOIN given JOIN LATERAL (
      SELECT project_id, version, is_present FROM environments
      WHERE environments.account_id = ${at.accountId} AND environments.slug = given.slug AND environments.environment = given.environment
        AND ${isExpected('given.expected')} AND ${isCollectedFor('given.subscribers')} AND ${followsOn(at.accountId, givenNames)}
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS free ON true
  ), head AS (
    INSERT INTO environments (account_id, slug, environment, project_id, version, is_present, kept_bytes,
      user_version_floor, user_version_ceiling)
    SELECT ${at.accountId}, slug, environment, project_id, version, is_present, bytes, 0, 0 FROM held
    ON CONFLICT (account_id, slug, environment) DO UPDATE
    SET version = ${nextVersionSql('environments.version', `${at.versionFloor}::bigint`)}, is_present = true,
      kept_bytes = environments.kept_bytes + excluded.kept_bytes
    WHERE environments.project_id = excluded.project_id AND environments.version = excluded.version
      AND environments.is_present = excluded.is_present
    RETURNING slug, environment, project_id, version
  ), written AS (
    ${appendVersion.select({ account_id: at.accountId, comment_bytes: 'nullif(comment_bytes, 0)' })}
    FROM head JOIN given USING (slug, environment)
    RETURNING project_id, environment, version
  )
  SELECT n, project_id, target.version, is_present, written.version AS written
  FROM target LEFT JOIN written USING (project_id, environment)`;

const jointWrite = { text, names: joint.names };

/** Carries out writes of one account. An outcome is undefined if its write was skipped. */
export async function writeJointly(
  query: Query,
  batch: readonly PublicStateWrite[],
  bytesMax: number,
  marginBytes: number,
): Promise<(PublicStateWritten | undefined)[]> {
  const given = batch.map((write, n) => ({
    n,
    slug: write.key.slug,
    environment: environmentNumbers[write.key.environment],
    expected: write.expectedVersion,
    basis: write.stored.basis,
    subscribers: write.next.subscribers ?? null,
    ...versionValues(write),
  }));
  const neededBytes = given.reduce((sum, one) => sum + one.state_bytes + one.comment_bytes, marginBytes);
  const rows: Row[] = [];
  const values = valuesOf(jointWrite, {
    accountId: (batch[0] as PublicStateWrite).key.accountId,
    given: JSON.stringify(given),
    bytesMax,
    neededBytes,
    versionFloor: Math.max(...batch.map(({ floor }) => floor)),
  });
  for (const row of await query(jointWrite.text, values)) {
    rows[integerAt(row, 'n')] = row;
  }
  return batch.map((write, n) => outcomeOf(write, rows[n]));
}
