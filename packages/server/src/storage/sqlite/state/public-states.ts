/** Public state, on the main thread: reads from memory or the database, writes through the writer thread. */
import type { HistoryOutcome, PublicStateStore } from '../../public-state-store.ts';
import { environmentNumbers, toHistoryItem, toPublicState } from '../../rows.ts';
import { type CurrentVersion, type PublicState, type PublicStateKey, type ReadOutcome, StoreFault } from '../../store.ts';
import { findProjectId } from '../management/projects.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { stateName } from '../record-cache.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import { headKey } from '../writer/commands.ts';

/** Returns the methods of the store that keep public state. */
export function createPublicStates({
  cache,
  queue,
  reader,
  quotas,
}: Pick<Parts, 'cache' | 'queue' | 'reader' | 'quotas'>): PublicStateStore {
  return {
    readPublicState(key) {
      const name = stateName(key);
      const known = cache.state(name);
      if (known !== undefined) return known;
      const outcome = readPublicState(reader, key);
      if (outcome.kind !== 'no_project') cache.keepState(name, key, outcome);
      return outcome;
    },
    currentPublicVersions: (keys) => keys.map((key) => currentVersion(reader, key)),
    readPublicStateVersion: (key, version) => readPublicStateVersion(reader, key, version),
    listPublicStateVersions: (key, run) => listPublicStateVersions(reader, key, run),
    listPublicStateHistory: (key, page) => listHistory(reader, key, page),
    writePublicState(key, expected, { stateText, stateBytes, stateUtf8, comment, writtenAt, author, repeat }) {
      const { accountId, slug, environment } = key;
      const expectedVersion = expected.kind === 'version' ? expected.version : null;
      const send = () =>
        queue.submit(
          stateText.length + smallCommandCharacters,
          'writePublicState',
          accountId,
          slug,
          environmentNumbers[environment],
          expectedVersion,
          stateUtf8 ?? stateText,
          stateBytes,
          comment,
          writtenAt,
          author,
          quotas.storageBytes,
          repeat,
        );
      return cache.write(stateName(key), key, send, (version) => ({ version, stateText, stateBytes, comment }));
    },
  };
}

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;

function readPublicState(reader: Reader, key: PublicStateKey): ReadOutcome<PublicState> {
  // No row: no such project. A row without `version`: nothing is written to this environment.
  const row = reader.get(
    `SELECT versions.version, state_bytes, comment, state
     FROM accounts
     JOIN projects USING (account_number)
     LEFT JOIN public_state_heads ON head_key = projects.project_id * 4 + ?3
     LEFT JOIN public_state_versions AS versions ON id = newest_id
     WHERE account_id = ?1 AND slug = ?2`,
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
  );
  if (row === undefined) return noProject;
  return row.version === null ? absent : { kind: 'present', record: toPublicState(row) };
}

function currentVersion(reader: Reader, { accountId, slug, environment }: PublicStateKey): ReadOutcome<CurrentVersion> {
  // No row: no such project. A row without `newest_id`: nothing is written to this environment.
  const row = reader.get(
    `SELECT project_id, version, newest_id
     FROM accounts
     JOIN projects USING (account_number)
     LEFT JOIN public_state_heads ON head_key = projects.project_id * 4 + ?3
     WHERE account_id = ?1 AND slug = ?2`,
    accountId,
    slug,
    environmentNumbers[environment],
  );
  if (row === undefined) return noProject;
  if (row.newest_id === null) return absent;
  return { kind: 'present', record: { version: row.version as number, recordId: String(row.project_id) } };
}

function readPublicStateVersion(reader: Reader, key: PublicStateKey, version: number): ReadOutcome<PublicState> {
  return reader.snapshot(() => {
    const projectId = findProjectId(reader, key);
    if (projectId === undefined) return noProject;
    const id = findVersion(reader, projectId, environmentNumbers[key.environment], version);
    const found = id === null ? undefined : readVersion(reader, id);
    return found?.record.version === version ? { kind: 'present', record: found.record } : absent;
  });
}

function listPublicStateVersions(
  reader: Reader,
  key: PublicStateKey,
  run: { readonly before: number | null; readonly charactersMax: number },
): { readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' } {
  return reader.snapshot(() => {
    const projectId = findProjectId(reader, key);
    if (projectId === undefined) return noProject;
    const newest = run.before === null ? Number.MAX_SAFE_INTEGER : run.before - 1;
    const versions: PublicState[] = [];
    let characters = 0;
    let id = findVersion(reader, projectId, environmentNumbers[key.environment], newest);
    // Nothing fits behind a large version, so none is read there for nothing.
    while (id !== null && characters < run.charactersMax) {
      const { record, previousId } = readVersion(reader, id);
      characters += record.stateText.length;
      if (versions.length > 0 && characters > run.charactersMax) break;
      versions.push(record);
      id = previousId;
    }
    return { kind: 'versions', versions };
  });
}

/** Along the chain. What is asked for lies in front of the state in each row, so that no page is read that holds only state. */
function listHistory(
  reader: Reader,
  key: PublicStateKey,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): HistoryOutcome {
  return reader.snapshot(() => {
    const projectId = findProjectId(reader, key);
    if (projectId === undefined) return noProject;
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
    return { kind: 'history', items: rows.slice(0, itemsMax).map(toHistoryItem), hasMore: rows.length > itemsMax };
  });
}

/** The row of the newest version that is not above `version`, or null. */
function findVersion(reader: Reader, projectId: number, environment: number, version: number): number | null {
  // One row, null when nothing is written. The search starts at the next indexed version, or at the newest, and goes back
  // along the chain.
  const start = reader.get(
    `SELECT coalesce(
       (SELECT id FROM public_state_versions
        WHERE project_id = ?1 AND environment = ?2 AND version >= ?3 AND version % 64 = 0 ORDER BY version LIMIT 1),
       (SELECT newest_id FROM public_state_heads WHERE head_key = ?4)) AS id`,
    projectId,
    environment,
    version,
    headKey(projectId, environment),
  );
  // No row: every version is above the one asked for.
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
  return (row?.id as number | undefined) ?? null;
}

function readVersion(reader: Reader, id: number): { record: PublicState; previousId: number | null } {
  // One row: the caller has just read this id in the same snapshot.
  const row = reader.get(
    'SELECT version, state_bytes, comment, state, previous_id FROM public_state_versions WHERE id = ?',
    id,
  );
  if (row === undefined) throw new StoreFault(`cannot read version row ${id}: it is missing`);
  return { record: toPublicState(row), previousId: row.previous_id as number | null };
}
