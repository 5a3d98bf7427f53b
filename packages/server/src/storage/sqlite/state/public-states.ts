/**
 * Public state, on the main thread: reads from the cache or the database, writes through the writer thread. Versions are found along their
 * chain, since few of them are indexed: indexing all would make every write change one more page.
 */

import type { PublicStateVerbs } from '../../contract/engine-verbs.ts';
import type {
  CurrentVersion,
  HistoryOutcome,
  PublicState,
  PublicStateKey,
  ReadOutcome,
} from '../../contract/public-states.ts';
import { listedVersionsMax, restoreListed } from '../../history/list-versions.ts';
import { ListedRun } from '../../history/listed-run.ts';
import { restoreVersion } from '../../history/restore-versions.ts';
import { encodeAuthor, encodeVersion, KeptVersion, runVersionsMax, versionBefore } from '../../history/versions.ts';
import { integerAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { outcomeOf, toCurrentVersion, toHistory } from '../../rows/state-rows.ts';
import type { Dependencies } from '../dependencies.ts';
import { readInProject } from '../management/projects.ts';
import type { Reader } from '../reader.ts';
import { stateName } from '../record-cache.ts';
import { headKey, headKeySql } from '../schema/head-keys.ts';
import { isMilestone } from '../schema/state-tables.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { PublicStateValues } from '../writer/state-writes.ts';

/** Returns the store methods of public state. */
export function createPublicStates({
  cache,
  queue,
  reader,
  quotas,
  marks,
}: Pick<Dependencies, 'cache' | 'queue' | 'reader' | 'quotas' | 'marks'>): PublicStateVerbs {
  const listed = new ListedRun();
  return {
    readPublicState(key) {
      const name = stateName(key);
      const known = cache.state(name);
      if (known !== undefined) return known;
      const outcome = readPublicState(reader, key);
      if (outcome.kind !== 'no_project') cache.keepState(name, key, outcome);
      return outcome;
    },
    recallPublicState(key) {
      const known = cache.state(stateName(key));
      return known?.kind === 'present' ? known.record : undefined;
    },
    currentPublicVersions: (keys) => keys.map((key) => currentVersion(reader, key)),
    readPublicStateVersion: (key, version) => readPublicStateVersion(reader, key, version),
    listPublicStateVersions: (key, portion) => listPublicStateVersions(reader, listed, key, portion),
    listPublicStateHistory: (key, page) => listHistory(reader, key, page),
    writePublicState(key, expected, next) {
      const { accountId, slug, environment } = key;
      const { stateText, stateUtf8, stateBytes, comment, writtenAt, repeat, by, subscribers, application } = next;
      const name = stateName(key);
      const { versionFloor } = marks();
      const before = versionBefore(next, cache.state(name), expected);
      const { state, depth, checksum, position } = encodeVersion(next, before, versionFloor);
      // This thread keeps the whole document until the outcome arrives, and then returns it.
      const ending = cache.write(name, key, (version) => new KeptVersion(version, next, { position, checksum }));
      const values: PublicStateValues = [
        accountId,
        slug,
        environmentNumbers[environment],
        expected.kind === 'version' ? expected.version : null,
        depth === 0 ? (stateUtf8 ?? state) : state,
        depth,
        checksum,
        stateBytes,
        comment,
        writtenAt,
        encodeAuthor(next.author),
        quotas.storageBytes,
        versionFloor,
        repeat,
        by,
        subscribers,
        application,
      ];
      return queue.submitTo(ending, stateText.length + smallCommandCharacters, ['writePublicState', values]);
    },
  };
}

/** Finds the row of an environment. No row: no such project. `newest_id` is null if nothing is stored. */
const headOf = `
  FROM accounts
  JOIN projects USING (account_id)
  LEFT JOIN public_state_heads ON head_key = ${headKeySql('projects.project_id', '?3')}
  WHERE account_id = ?1 AND slug = ?2`;

/** The columns that make a version, as far as its row has them. */
const columns = 'versions.version, versions.depth, checksum, state_bytes, comment, state';

/** The rows of `run` lead from a version back to the whole version of its run; none for a row that does not exist. */
const runFrom = (id: string) => `
  run (id, previous_id, depth) AS (
    SELECT id, previous_id, depth FROM public_state_versions WHERE id = ${id}
    UNION ALL
    SELECT older.id, older.previous_id, older.depth
    FROM run JOIN public_state_versions AS older ON older.id = run.previous_id
    WHERE run.depth > 0
    LIMIT ${runVersionsMax})`;

function readPublicState(reader: Reader, key: PublicStateKey): ReadOutcome<KeptVersion> {
  const keyValues = [key.accountId, key.slug, environmentNumbers[key.environment]] as const;
  // No row: no such project. A row without `version`: nothing is written to this environment.
  const row = reader.get(
    `SELECT ${columns} FROM (SELECT newest_id ${headOf}) LEFT JOIN public_state_versions AS versions ON id = newest_id`,
    ...keyValues,
  );
  // Whole versions are read most often, and take a sixth of the time. For other versions, all rows are read in one snapshot.
  const rows =
    row === undefined || row.version === null || row.depth === 0
      ? [row]
      : reader.all(
          `WITH RECURSIVE head AS MATERIALIZED (SELECT newest_id ${headOf}), ${runFrom('(SELECT newest_id FROM head)')}
           SELECT ${columns} FROM head LEFT JOIN run LEFT JOIN public_state_versions AS versions ON versions.id = run.id`,
          ...keyValues,
        );
  return versionIn(rows, key);
}

/** The version of the first of these rows. */
function versionIn(rows: readonly (Row | undefined)[], key: PublicStateKey): ReadOutcome<KeptVersion> {
  return outcomeOf(rows[0], (newest) =>
    restoreVersion(rows as readonly Row[], integerAt(newest, 'version'), () => stateName(key)),
  );
}

function currentVersion(reader: Reader, { accountId, slug, environment }: PublicStateKey): ReadOutcome<CurrentVersion> {
  // No row: no such project. A row without `version`: nothing is written to this environment.
  const row = reader.get(
    `SELECT project_id AS record_id, CASE WHEN newest_id IS NOT NULL THEN version END AS version ${headOf}`,
    accountId,
    slug,
    environmentNumbers[environment],
  );
  return outcomeOf(row, toCurrentVersion);
}

function readPublicStateVersion(reader: Reader, key: PublicStateKey, version: number): ReadOutcome<PublicState> {
  return readInProject(reader, key, (projectId) => {
    const id = findVersion(reader, projectId, environmentNumbers[key.environment], version);
    // No row: every version is above the requested one.
    const rows = reader.all(
      `WITH RECURSIVE ${runFrom('?1')} SELECT ${columns} FROM run JOIN public_state_versions AS versions USING (id)`,
      id,
    );
    return rows[0]?.version === version ? versionIn(rows, key) : { kind: 'absent' };
  });
}

function listPublicStateVersions(
  reader: Reader,
  listed: ListedRun,
  key: PublicStateKey,
  { before, charactersMax }: { readonly before: number | null; readonly charactersMax: number },
): { readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' } {
  return readInProject(reader, key, (projectId) => {
    const newest = before === null ? Number.MAX_SAFE_INTEGER : before - 1;
    const document = headKey(projectId, environmentNumbers[key.environment]);
    const whole = listed.wholeOf(document, newest, charactersMax);
    // No row: no version is left. Otherwise a row for each version that may fit, and on to the whole version of the run, or to the version
    // after the available one.
    const rows = reader.all(
      `WITH RECURSIVE walk (id, previous_id, depth, bytes, count) AS (
         SELECT id, previous_id, depth, state_bytes, 1 FROM public_state_versions WHERE id = ?1
         UNION ALL
         SELECT older.id, older.previous_id, older.depth, bytes + older.state_bytes, count + 1
         FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id AND older.id < walk.id
         WHERE older.version > ?3 AND (walk.depth > 0 OR (bytes < ?2 AND count < ${listedVersionsMax})))
       SELECT ${columns} FROM walk JOIN public_state_versions AS versions USING (id)`,
      findVersion(reader, projectId, environmentNumbers[key.environment], newest),
      charactersMax,
      whole?.version ?? 0,
    );
    listed.keep(document, rows, charactersMax);
    return { kind: 'versions', versions: restoreListed(rows, charactersMax, () => stateName(key), whole) };
  });
}

/** Along the chain. The requested columns come before the state in each row, so no page is read that holds only state. */
function listHistory(
  reader: Reader,
  key: PublicStateKey,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): HistoryOutcome {
  return readInProject(reader, key, (projectId) => {
    const newest = before === null ? Number.MAX_SAFE_INTEGER : before - 1;
    // No row: no version is left. One row more than the page holds shows whether anything follows.
    const rows = reader.all(
      `WITH RECURSIVE walk (version, state_bytes, comment, written_at, author, previous_id) AS (
         SELECT version, state_bytes, comment, written_at, author, previous_id FROM public_state_versions WHERE id = ?1
         UNION ALL
         SELECT older.version, older.state_bytes, older.comment, older.written_at, older.author, older.previous_id
         FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id
         LIMIT ?2)
       SELECT * FROM walk`,
      findVersion(reader, projectId, environmentNumbers[key.environment], newest),
      itemsMax + 1,
    );
    return toHistory(rows, itemsMax);
  });
}

/** SQL: the row of the next indexed version, or of the newest. One row, null if nothing is stored. */
const startOfSearch = `
  SELECT coalesce(
    (SELECT id FROM public_state_versions
     WHERE project_id = ?1 AND environment = ?2 AND version >= ?3 AND ${isMilestone} ORDER BY version LIMIT 1),
    (SELECT newest_id FROM public_state_heads WHERE head_key = ?4)) AS id`;

/** The row of the newest version not above `version`, or null. */
function findVersion(reader: Reader, projectId: number, environment: number, version: number): number | null {
  // The search starts there and goes back along the chain.
  const start = reader.get(startOfSearch, projectId, environment, version, headKey(projectId, environment));
  // No row: every version is above the requested one.
  const row = reader.get(
    `WITH RECURSIVE walk (id, version, previous_id) AS (
       SELECT id, version, previous_id FROM public_state_versions WHERE id = ?1
       UNION ALL
       SELECT older.id, older.version, older.previous_id
       FROM walk JOIN public_state_versions AS older ON older.id = walk.previous_id
       WHERE walk.version > ?2)
     SELECT id FROM walk WHERE version <= ?2 LIMIT 1`,
    start?.id ?? null,
    version,
  );
  return row === undefined ? null : integerAt(row, 'id');
}
