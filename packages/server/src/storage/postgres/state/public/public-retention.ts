/** The current version of public state, and the oldest ones, for dropping them. */

import { integerAt } from '../../../rows/columns.ts';
import type { DocumentRowKey, EngineSql } from '../../../sql/engine-sql.ts';
import { all, first, type Steps } from '../../../sql/steps.ts';

/** Versions that one slice reads. */
const versionsMax = 256;

function* lockPublicState({ accountId, slug, projectId, environment }: DocumentRowKey): Steps<number> {
  // No row: the project was deleted, or nothing is stored.
  const head = yield* first(
    `SELECT version FROM environments
       WHERE account_id = $1 AND slug = $2 AND environment = $3 AND project_id = $4 AND is_present FOR UPDATE`,
    [accountId, slug, environment, projectId],
  );
  return head === undefined ? 0 : integerAt(head, 'version');
}

export const publicHistory: Pick<
  EngineSql,
  'lockPublicState' | 'oldestPublicVersions' | 'publicVersionBefore' | 'dropPublicVersions'
> = {
  lockPublicState,
  *oldestPublicVersions(document) {
    // It is locked, so that no other node drops the same.
    const current = yield* lockPublicState(document);
    if (current === 0) return { current, oldest: [] };
    const { accountId, projectId, environment } = document;
    const oldest = yield* all(
      `SELECT version, depth, written_at, state_bytes + coalesce(comment_bytes, 0) AS bytes FROM public_state_versions
       WHERE account_id = $1 AND project_id = $2 AND environment = $3 ORDER BY version LIMIT ${versionsMax}`,
      [accountId, projectId, environment],
    );
    return { current, oldest };
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
