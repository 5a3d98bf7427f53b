/** The number of change streams that each node has open. */

import { randomUUID } from 'node:crypto';
import { now } from '../../../common/time/clock.ts';
import type { StreamVerbs } from '../../contract/engine-verbs.ts';
import { integerAt, textAt } from '../../rows/columns.ts';
import type { Dependencies } from '../dependencies.ts';

/** Rows that one statement deletes, left by nodes that did not end properly. */
const sweptMax = 1_000;
/** Rows are kept this long after they expire, for nodes whose clocks are behind. */
const keptMilliseconds = 60_000;

/** A row for each given project. */
const tell = `INSERT INTO open_streams (account_id, node_id, slug, public_streams, user_streams, expires_at)
  SELECT value ->> 0, CAST($2 AS uuid), value ->> 1, CAST(value ->> 2 AS bigint), CAST(value ->> 3 AS bigint), CAST($3 AS bigint)
  FROM json_array_elements(CAST(CAST($1 AS text) AS json)) AS given (value)
  ON CONFLICT (account_id, node_id, slug) DO UPDATE SET
    public_streams = excluded.public_streams, user_streams = excluded.user_streams, expires_at = excluded.expires_at`;

/** Any number of rows, at most `sweptMax`: the expired ones. */
const sweep = `DELETE FROM open_streams WHERE expires_at < $1 AND (account_id, node_id, slug) IN
  (SELECT account_id, node_id, slug FROM open_streams WHERE expires_at < $1 LIMIT ${sweptMax})`;

/** A row for each project with streams at other nodes. */
const read = `SELECT slug, CAST(sum(public_streams) AS bigint) AS public_streams, CAST(sum(user_streams) AS bigint) AS user_streams
  FROM open_streams WHERE account_id = $1 AND node_id <> CAST($2 AS uuid) AND expires_at > $3
  GROUP BY slug HAVING sum(public_streams) + sum(user_streams) > 0 ORDER BY slug`;

/** Returns the store methods by which nodes learn about each other's streams, and a function that deletes this node's rows. */
export function createOpenStreams({ database }: Pick<Dependencies, 'database'>): {
  readonly verbs: StreamVerbs;
  close(): Promise<void>;
} {
  const nodeId = randomUUID();
  let hasWritten = false;
  return {
    verbs: {
      async publishOpenStreams(open, expiresAt) {
        hasWritten = true;
        const given = open.map(({ accountId, slug, publicStreams, userStreams }) => [
          accountId,
          slug,
          publicStreams,
          userStreams,
        ]);
        await database.query(tell, [JSON.stringify(given), nodeId, expiresAt]);
        await database.query(sweep, [now() - keptMilliseconds]);
      },
      async readOpenStreams(accountId, now) {
        const rows = await database.query(read, [accountId, nodeId, now]);
        return rows.map((row) => ({
          accountId,
          slug: textAt(row, 'slug'),
          publicStreams: integerAt(row, 'public_streams'),
          userStreams: integerAt(row, 'user_streams'),
        }));
      },
    },
    async close() {
      // Any number of rows: this node's. Rows that cannot be deleted expire.
      if (hasWritten) await database.query('DELETE FROM open_streams WHERE node_id = $1', [nodeId]).catch(() => undefined);
    },
  };
}
