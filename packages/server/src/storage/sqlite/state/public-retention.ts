/** Finds the current version of public state, and the oldest ones for dropping, along the chain from the second milestone left. */

import { integerAt } from '../../rows/columns.ts';
import type { EngineSql } from '../../sql/engine-sql.ts';
import { all, first } from '../../sql/steps.ts';
import { headKey } from '../schema/head-keys.ts';
import { isMilestone } from '../schema/state-tables.ts';

export const publicHistory: Pick<
  EngineSql,
  'lockPublicState' | 'oldestPublicVersions' | 'publicVersionBefore' | 'dropPublicVersions'
> = {
  *lockPublicState({ projectId, environment }) {
    // No row: nothing is stored.
    const head = yield* first('SELECT version FROM public_state_heads WHERE head_key = $1 AND newest_id IS NOT NULL', [
      headKey(projectId as number, environment),
    ]);
    return head === undefined ? 0 : integerAt(head, 'version');
  },
  *oldestPublicVersions({ projectId, environment }) {
    // A row for each version up to the second milestone, at most 128, newest first.
    const rows = yield* all(
      `WITH RECURSIVE head AS (SELECT newest_id, version FROM public_state_heads WHERE head_key = $3),
       walk (id, previous_id, version, depth, written_at, bytes) AS (
         SELECT id, previous_id, version, depth, written_at, state_bytes + coalesce(octet_length(comment), 0) FROM public_state_versions
         WHERE id = coalesce(
           (SELECT id FROM public_state_versions WHERE project_id = $1 AND environment = $2 AND ${isMilestone}
            ORDER BY version LIMIT 1 OFFSET 1),
           (SELECT newest_id FROM head))
         UNION ALL
         SELECT older.id, older.previous_id, older.version, older.depth, older.written_at,
           older.state_bytes + coalesce(octet_length(older.comment), 0)
         FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id)
       SELECT walk.*, (SELECT version FROM head) AS current FROM walk`,
      [projectId, environment, headKey(projectId as number, environment)],
    );
    const current = rows[0] === undefined ? 0 : integerAt(rows[0], 'current');
    return { current, oldest: rows.toReversed() };
  },
  *publicVersionBefore({ projectId, environment }, versions) {
    // No row: there are fewer versions.
    const row = yield* first(
      `WITH RECURSIVE walk (previous_id, version) AS (
         SELECT previous_id, version FROM public_state_versions
         WHERE id = (SELECT newest_id FROM public_state_heads WHERE head_key = $1)
         UNION ALL
         SELECT older.previous_id, older.version
         FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id LIMIT $2 + 1)
       SELECT version FROM walk LIMIT 1 OFFSET $2`,
      [headKey(projectId as number, environment), versions],
    );
    return row === undefined ? 0 : integerAt(row, 'version');
  },
  *dropPublicVersions({ accountId, projectId, environment }, dropped, start) {
    const bytes = dropped.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0);
    const ids = JSON.stringify(dropped.map((row) => integerAt(row, 'id')));
    // A row for each.
    yield* all('DELETE FROM public_state_versions WHERE id IN (SELECT value FROM json_each($1))', [ids]);
    // One row each, always. No total is cached (`runGuarded`).
    yield* all('UPDATE public_state_versions SET previous_id = NULL WHERE id = $1', [integerAt(start, 'id')]);
    yield* all('UPDATE public_state_heads SET kept_bytes = kept_bytes - $2 WHERE head_key = $1', [
      headKey(projectId as number, environment),
      bytes,
    ]);
    yield* all('UPDATE account_usage SET storage_bytes = storage_bytes - $2 WHERE account_id = $1', [accountId, bytes]);
  },
};
