/**
 * Drops the oldest versions of public state in projects that keep only some versions. A run (history/versions.ts) is dropped as a whole,
 * since its edits cannot be read without its first version. `history_starts` records where the stored versions begin, to distinguish
 * missing versions from dropped ones.
 */

import type { BoundedHistory, PublicStateKey } from '../../contract/public-states.ts';
import { ofInstallation } from '../../contract/read-owner.ts';
import type { VersionRetention } from '../../contract/user-states.ts';
import { integerAt, optionalIntegerAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { projectColumns, toProject } from '../../rows/project-rows.ts';
import type { ProjectRowKey } from '../engine-sql.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { largeRead, type Setting, write } from '../verb.ts';

/** Projects that one turn of the sweep reads, bounded or not. */
const projectsMax = 500;

function* listBounded(
  _: Setting,
  after: string | null,
): Steps<{ readonly projects: readonly BoundedHistory[]; readonly next: string | null }> {
  const [accountId, slug]: readonly string[] = after === null ? ['', ''] : after.split('/');
  const rows = yield* all(
    `SELECT ${projectColumns} FROM projects
     WHERE (account_id, slug) > ($1, $2) ORDER BY account_id, slug LIMIT ${projectsMax}`,
    [accountId ?? '', slug ?? ''],
  );
  const projects = rows.map(toProject);
  const last = projects.at(-1);
  return {
    projects: projects.flatMap(({ publicStateHistory: retention, ...key }) =>
      retention === null ? [] : [{ accountId: key.accountId, slug: key.slug, retention }],
    ),
    next: last === undefined ? null : `${last.accountId}/${last.slug}`,
  };
}

function* drop({ engine }: Setting, key: PublicStateKey, retention: VersionRetention): Steps<number> {
  const { accountId, slug } = key;
  // No row: no such project.
  const project = yield* first(
    'SELECT projects.project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return 0;
  const environment = environmentNumbers[key.environment];
  const place = { accountId, slug, projectId: project.project_id as ProjectRowKey['projectId'], environment };
  const { current, oldest } = yield* engine.oldestPublicVersions(place);
  const oldestRow = oldest[0];
  // Numbers may be skipped (version-floors.ts), so versions are counted, but only if there may be too many.
  const mayBeTooMany = oldestRow !== undefined && integerAt(oldestRow, 'version') < current - retention.versionsMax;
  const bound = mayBeTooMany ? yield* engine.publicVersionBefore(place, retention.versionsMax) : 0;
  const needed = yield* neededByProposals(key);
  const count = droppable(oldest, bound, retention, needed);
  const start = oldest[count];
  if (count === 0 || start === undefined) return 0;
  yield* engine.dropPublicVersions(place, oldest.slice(0, count), start);
  // One row, always.
  yield* all(
    `INSERT INTO history_starts (account_id, slug, environment, version) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, slug, environment) DO UPDATE SET version = excluded.version`,
    [accountId, slug, environment, integerAt(start, 'version')],
  );
  return count;
}

/**
 * Returns the oldest version on which an open proposal is based, or that a coming revert compares; a number above all versions if there is
 * none.
 */
function* neededByProposals({ accountId, slug, environment }: PublicStateKey): Steps<number> {
  const row = yield* one(
    `SELECT min(CASE WHEN state = 'open' THEN base_version WHEN applied_from > 0 THEN applied_from ELSE applied_version END) AS needed
     FROM proposals WHERE account_id = $1 AND slug = $2 AND environment = $3
       AND (state = 'open' OR (state = 'applied' AND revert_at IS NOT NULL AND reverted_version IS NULL))`,
    [accountId, slug, environmentNumbers[environment]],
  );
  return optionalIntegerAt(row, 'needed') ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Returns how many of a document's oldest rows can be dropped: the rows before the run of the first kept version. Versions below `bound`
 * exceed the maximum; the version `needed` and those after it stay. The rows come oldest first.
 */
function droppable(rows: readonly Row[], bound: number, { keptAfter }: VersionRetention, needed: number): number {
  let run = 0;
  for (const [index, row] of rows.entries()) {
    if (integerAt(row, 'depth') === 0) run = index;
    const next = rows[index + 1];
    const isTooMany = integerAt(row, 'version') < bound;
    const isTooOld = next !== undefined && integerAt(next, 'written_at') <= keptAfter;
    if (integerAt(row, 'version') >= needed || (!isTooMany && !isTooOld)) break;
  }
  return run;
}

export const publicHistoryVerbs = {
  /** Some of the projects that keep only some versions, after an opaque position. Null begins the list, and marks its end. */
  listBoundedHistories: largeRead(listBounded, ofInstallation),
  /**
   * Drops some of the oldest versions that are no longer kept. Returns the number dropped; 0 if no more can be dropped now. The current
   * version stays, and so do versions on which a kept version is based.
   */
  dropPublicStateVersions: write(drop, { forgets: true }),
};
