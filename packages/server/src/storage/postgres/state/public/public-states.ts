/**
 * Public state: every version is kept. The row of the environment says which one is current. Versions are found by their key, which begins
 * with the account and contains their number, not along a chain as in the embedded engine.
 */

import { publicStateName } from '../../../caches/record-names.ts';
import type { PublicStateVerbs } from '../../../contract/engine-verbs.ts';
import type { HistoryOutcome, PublicState, PublicStateKey, ReadOutcome } from '../../../contract/public-states.ts';
import { listedVersionsMax, restoreListed } from '../../../history/list-versions.ts';
import { restoreVersion } from '../../../history/restore-versions.ts';
import { versionBefore } from '../../../history/versions.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { noProject, outcomeOf, toHistory } from '../../../rows/state-rows.ts';
import type { Database } from '../../connection/database.ts';
import type { Dependencies } from '../../dependencies.ts';
import { currentPublicVersions } from '../current-versions.ts';
import { createPublicStateReads } from './public-state-reads.ts';
import { createPublicStateWrites } from './public-state-writes.ts';

export interface PublicStateDependencies extends Dependencies {
  /** The approximate number of state characters to cache; 1 or 2 bytes each. */
  readonly cacheCharactersMax: number;
}

/** Returns the store methods of public state. */
export function createPublicStates(dependencies: PublicStateDependencies): PublicStateVerbs {
  const { database, queues } = dependencies;
  const { read, remembered, keep } = createPublicStateReads(database, dependencies.cacheCharactersMax);
  const write = createPublicStateWrites(dependencies);
  return {
    readPublicState: read,
    recallPublicState(key) {
      const known = remembered(key);
      return known?.kind === 'present' ? known.record : undefined;
    },
    currentPublicVersions: (keys) => currentPublicVersions(database, keys),
    readPublicStateVersion: (key, version) => readVersion(database, key, version),
    listPublicStateVersions: (key, portion) => listVersions(database, key, portion),
    listPublicStateHistory: (key, page) => listHistory(database, key, page),
    writePublicState: (key, expected, next) =>
      queues.run(publicStateName(key), async () => {
        const outcome = await write(key, expected, next, versionBefore(next, remembered(key), expected));
        if (outcome.kind !== 'written') return outcome;
        keep(key, outcome.projectId, outcome.record);
        return { kind: 'written', version: outcome.record.version };
      }),
  };
}

async function readVersion(database: Database, key: PublicStateKey, version: number): Promise<ReadOutcome<PublicState>> {
  const { accountId, slug, environment } = key;
  // No row: no such project. A row without `version`: there is no such version. Otherwise its run up to it, newest first.
  const rows = await database.query(
    `SELECT run.version, run.depth, run.checksum, run.state_bytes, run.comment, run.state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN public_state_versions AS wanted
       ON wanted.account_id = $1 AND wanted.project_id = environments.project_id
       AND wanted.environment = environments.environment AND wanted.version = $4
     LEFT JOIN public_state_versions AS run
       ON run.account_id = $1 AND run.project_id = environments.project_id
       AND run.environment = environments.environment AND run.version BETWEEN wanted.version - wanted.depth AND wanted.version
     WHERE accounts.account_id = $1 AND environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY run.version DESC`,
    [accountId, slug, environmentNumbers[environment], version],
  );
  return outcomeOf(rows[0], () => restoreVersion(rows, version, () => publicStateName(key)));
}

/**
 * The lengths of the versions show which ones may fit. Texts are sent only for these versions, and for the versions that lead on to the
 * whole version of the run.
 */
async function listVersions(
  database: Database,
  key: PublicStateKey,
  { before, charactersMax }: { readonly before: number | null; readonly charactersMax: number },
): Promise<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }> {
  const { accountId, slug, environment } = key;
  // No row: no such project. A row without `version`: no version is left. Otherwise a row for each version that may fit, newest
  // first, and on to the whole version of the run.
  const rows = await database.query(
    `SELECT run.version, run.depth, run.checksum, run.state_bytes, run.comment, run.state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN LATERAL (
       SELECT min(version - depth) AS oldest FROM (
         SELECT version, depth, sum(state_bytes) OVER (ORDER BY version DESC) - state_bytes AS bytes_before
         FROM (
           SELECT version, depth, state_bytes FROM public_state_versions AS versions
           WHERE versions.account_id = $1 AND versions.project_id = environments.project_id
             AND versions.environment = environments.environment AND versions.version < $4
           ORDER BY versions.version DESC LIMIT ${listedVersionsMax}
         ) AS newest
       ) AS listed WHERE bytes_before < $5
     ) AS reach ON true
     LEFT JOIN public_state_versions AS run
       ON run.account_id = $1 AND run.project_id = environments.project_id
       AND run.environment = environments.environment AND run.version >= reach.oldest AND run.version < $4
     WHERE accounts.account_id = $1 AND environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY run.version DESC`,
    [accountId, slug, environmentNumbers[environment], before ?? Number.MAX_SAFE_INTEGER, charactersMax],
  );
  if (rows.length === 0) return noProject;
  const found = rows[0]?.version === null ? [] : rows;
  return { kind: 'versions', versions: restoreListed(found, charactersMax, () => publicStateName(key)) };
}

/** States above some 2 KB are in a separate table, which is not read for this; smaller ones are in the same row. */
async function listHistory(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): Promise<HistoryOutcome> {
  // No row: no such project. A row without `version`: no version is left. Otherwise a row for each version, newest first; one more than the
  // page holds shows whether anything follows.
  const rows = await database.query(
    `SELECT page.version, page.state_bytes, page.comment, page.written_at, page.author
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN LATERAL (
       SELECT version, state_bytes, comment, written_at, author FROM public_state_versions AS versions
       WHERE versions.account_id = $1 AND versions.project_id = environments.project_id
         AND versions.environment = environments.environment AND versions.version < $4
       ORDER BY versions.version DESC LIMIT $5
     ) AS page ON true
     WHERE accounts.account_id = $1 AND environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY page.version DESC`,
    [accountId, slug, environmentNumbers[environment], before ?? Number.MAX_SAFE_INTEGER, itemsMax + 1],
  );
  if (rows.length === 0) return noProject;
  return toHistory(
    rows.filter(({ version }) => version !== null),
    itemsMax,
  );
}
