/** The oldest versions of public state, for dropping them. */

import { integerAt } from '../../rows/columns.ts';
import { all, first } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';

/** Versions that one slice reads. */
const versionsMax = 256;

export const publicHistory: Pick<EngineSql, 'oldestPublicVersions' | 'publicVersionBefore' | 'dropPublicVersions'> = {
  *oldestPublicVersions({ accountId, slug, projectId, environment }) {
    // The row is locked, so that no other node drops the same. No row: the project was deleted, or nothing is stored.
    const head = yield* first(
      `SELECT version FROM environments
       WHERE account_id = $1 AND slug = $2 AND environment = $3 AND project_id = $4 AND is_present FOR UPDATE`,
      [accountId, slug, environment, projectId],
    );
    if (head === undefined) return { current: 0, oldest: [] };
    const oldest = yield* all(
      `SELECT version, depth, written_at, state_bytes + coalesce(comment_bytes, 0) AS bytes FROM public_state_versions
       WHERE account_id = $1 AND project_id = $2 AND environment = $3 ORDER BY version LIMIT ${versionsMax}`,
      [accountId, projectId, environment],
    );
    return { current: integerAt(head, 'version'), oldest };
  },
  *publicVersionBefore({ accountId, projectId, environment }, versions) {
    // No row: there are fewer versions.
    const row = yield* first(
      `SELECT version FROM public_state_versions WHERE account_id = $1 AND project_id = $2 AND environment = $3
       ORDER BY version DESC LIMIT 1 OFFSET $4`,
      [accountId, projectId, environment, versions],
    );
    return row === undefined ? 0 : integerAt(row, 'version');
  },
  *dropPublicVersions({ accountId, slug, projectId, environment }, dropped, start) {
    const bytes = dropped.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0);
    // A row for each.
    yield* all(
      'DELETE FROM public_state_versions WHERE account_id = $1 AND project_id = $2 AND environment = $3 AND version < $4',
      [accountId, projectId, environment, integerAt(start, 'version')],
    );
    // One row, always: it is locked.
    yield* all(
      'UPDATE environments SET kept_bytes = kept_bytes - $4 WHERE account_id = $1 AND slug = $2 AND environment = $3',
      [accountId, slug, environment, bytes],
    );
  },
};
