/** Public state: every version is kept. The row of the environment says which one is current. */
import type { HistoryOutcome } from '../../public-state-store.ts';
import { environmentNumbers, type Row, toHistoryItem, toPublicState } from '../../rows.ts';
import type { NewPublicState, PublicState, PublicStateKey, ReadOutcome, Store } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import type { Parts } from '../parts.ts';
import { currentPublicVersions } from './current-versions.ts';
import { createPublicStateReads, stateName } from './public-state-reads.ts';
import { createPublicStateWrites } from './public-state-writes.ts';

type PublicStates = Pick<
  Store,
  | 'readPublicState'
  | 'currentPublicVersions'
  | 'readPublicStateVersion'
  | 'listPublicStateVersions'
  | 'listPublicStateHistory'
  | 'writePublicState'
>;

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;

export interface PublicStateParts extends Parts {
  /** About how many characters of state are kept in memory; 1 or 2 bytes each. */
  readonly cacheCharactersMax: number;
}

/** Returns the methods of the store that keep public state. */
export function createPublicStates(parts: PublicStateParts): PublicStates {
  const { database, queues } = parts;
  const { read, keepUp } = createPublicStateReads(database, parts.cacheCharactersMax);
  const write = createPublicStateWrites(parts);
  return {
    readPublicState: read,
    currentPublicVersions: (keys) => currentPublicVersions(database, keys),
    readPublicStateVersion: (key, version) => readVersion(database, key, version),
    listPublicStateVersions: (key, run) => listVersions(database, key, run),
    listPublicStateHistory: (key, page) => listHistory(database, key, page),
    writePublicState: (key, expected, next) =>
      queues.run(stateName(key), async () => {
        const outcome = await write(key, expected, next);
        if (outcome.kind !== 'written') return outcome;
        const { version, projectId } = outcome;
        keepUp(key, projectId, recordOf(version, next));
        return { kind: 'written', version };
      }),
  };
}

const recordOf = (version: number, { stateText, stateBytes, comment }: NewPublicState): PublicState => ({
  ...{ version, stateText, stateBytes, comment },
});

async function readVersion(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  version: number,
): Promise<ReadOutcome<PublicState>> {
  // No row: no such project. A row without `version`: there is no such version.
  const [row] = await database.query(
    `SELECT versions.version, state_bytes, comment, state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN public_state_versions AS versions
       ON versions.account_id = environments.account_id AND versions.project_id = environments.project_id
       AND versions.environment = environments.environment AND versions.version = $4
     WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3`,
    [accountId, slug, environmentNumbers[environment], version],
  );
  if (row === undefined) return noProject;
  return row.version === null ? absent : { kind: 'present', record: toPublicState(row) };
}

/** How many rows one run looks at. */
const runRowsMax = 5_000;

/**
 * Counts bytes, of which a character takes one to three: a run may hold less than it could, and nothing is fetched for
 * nothing.
 */
async function listVersions(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  { before, charactersMax }: { readonly before: number | null; readonly charactersMax: number },
): Promise<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }> {
  // No row: no such project. A row without `version`: no version is left. Otherwise a row for each version, newest first.
  const rows = await database.query(
    `SELECT run.version, run.state_bytes, run.comment, run.state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN LATERAL (
       SELECT newest.*, sum(state_bytes) OVER (ORDER BY version DESC) - state_bytes AS bytes_before
       FROM (
         SELECT version, state_bytes, comment, state FROM public_state_versions AS versions
         WHERE versions.account_id = environments.account_id AND versions.project_id = environments.project_id
           AND versions.environment = environments.environment AND versions.version < $4
         ORDER BY versions.version DESC LIMIT ${runRowsMax}
       ) AS newest
     ) AS run ON run.bytes_before < $5
     WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY run.version DESC`,
    [accountId, slug, environmentNumbers[environment], before ?? Number.MAX_SAFE_INTEGER, charactersMax],
  );
  if (rows.length === 0) return noProject;
  return { kind: 'versions', versions: firstThatFit(rows, charactersMax) };
}

function firstThatFit(rows: readonly Row[], charactersMax: number): PublicState[] {
  const versions: PublicState[] = [];
  let characters = 0;
  for (const row of rows) {
    if (row.version === null) break;
    const record = toPublicState(row);
    characters += record.stateText.length;
    if (versions.length > 0 && characters > charactersMax) break;
    versions.push(record);
  }
  return versions;
}

/** States above some 2 KB lie in a table of their own, which is not read for this; smaller ones are in the same row. */
async function listHistory(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): Promise<HistoryOutcome> {
  // No row: no such project. A row without `version`: no version is left. Else a row for each version, newest first; one more
  // than the page holds shows whether anything follows.
  const rows = await database.query(
    `SELECT page.version, page.state_bytes, page.comment, page.written_at, page.author
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN LATERAL (
       SELECT version, state_bytes, comment, written_at, author FROM public_state_versions AS versions
       WHERE versions.account_id = environments.account_id AND versions.project_id = environments.project_id
         AND versions.environment = environments.environment AND versions.version < $4
       ORDER BY versions.version DESC LIMIT $5
     ) AS page ON true
     WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
     ORDER BY page.version DESC`,
    [accountId, slug, environmentNumbers[environment], before ?? Number.MAX_SAFE_INTEGER, itemsMax + 1],
  );
  if (rows.length === 0) return noProject;
  const found = rows.filter(({ version }) => version !== null);
  return { kind: 'history', items: found.slice(0, itemsMax).map(toHistoryItem), hasMore: found.length > itemsMax };
}
