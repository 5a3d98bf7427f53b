/** Public state: every version is kept. The row of the environment says which one is current. */
import { environmentNumbers } from '../environment-numbers.ts';
import { type Row, toPublicState } from '../rows.ts';
import type {
  Expectation,
  NewPublicState,
  PublicState,
  PublicStateKey,
  ReadOutcome,
  Store,
  WriteOutcome,
} from '../store.ts';
import { encodeText } from '../text.ts';
import type { Database, Query } from './connection.ts';
import type { NearLimit } from './guarded-writes.ts';
import type { Parts } from './parts.ts';
import { createPublicStateReads, stateName } from './public-state-reads.ts';
import { storageBytesOf } from './usage-sums.ts';

type PublicStates = Pick<
  Store,
  'readPublicState' | 'readPublicStateVersion' | 'listPublicStateVersions' | 'writePublicState'
>;

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;

export interface PublicStateParts extends Parts {
  /** Characters of state that are kept in memory, about; 1 or 2 bytes each. */
  readonly cacheCharactersMax: number;
}

/** Returns the methods of the store that keep public state. */
export function createPublicStates(parts: PublicStateParts): PublicStates {
  const { database, queues, writes, quotas } = parts;
  const { read, keepUp } = createPublicStateReads(database, parts.cacheCharactersMax);
  return {
    readPublicState: read,
    readPublicStateVersion: (key, version) => readVersion(database, key, version),
    listPublicStateVersions: (key, run) => listVersions(database, key, run),
    writePublicState: (key, expected, next) =>
      queues.run(stateName(key), async () => {
        let projectId: string | undefined;
        const outcome = await writes.write(key.accountId, (query, { bytes: headroomBytes }) =>
          write(query, key, expected, next, {
            limits: { storageBytes: quotas.storageBytes, headroomBytes },
            onWritten: (id) => {
              projectId = id;
            },
          }),
        );
        // Not before all of it is committed: until then another write may take the number.
        if (outcome.kind === 'written' && projectId !== undefined) keepUp(key, projectId, recordOf(outcome.version, next));
        return outcome;
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

/** Rows that one run looks at, at most. */
const runRowsMax = 5_000;

/**
 * A character takes one to three bytes, so a run of characters fits into three times as many bytes, of which some rows at the
 * end may be fetched in vain.
 */
async function listVersions(
  database: Database,
  { accountId, slug, environment }: PublicStateKey,
  { before, charactersMax }: { readonly before: number | null; readonly charactersMax: number },
): Promise<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }> {
  // No row: no such project. A row without `version`: no version is left. Else a row for each version, newest first.
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
    [accountId, slug, environmentNumbers[environment], before ?? Number.MAX_SAFE_INTEGER, 3 * charactersMax],
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

/**
 * Compares, writes and appends to the history, in one statement. What decides is asked of the row of the environment in the
 * UPDATE itself: a statement that has waited for another write sees that row, and nothing else, as the other has left it.
 */
export const writeStatement = `
  WITH place AS (
    SELECT environments.project_id, environments.version, is_present, coalesce(storage_bytes_max, $9) AS bytes_max
    FROM accounts JOIN environments ON environments.account_id = accounts.account_id
    WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
  ), head AS (
    UPDATE environments
    SET version = environments.version + 1, is_present = true, kept_bytes = environments.kept_bytes + $5
    FROM place
    WHERE environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
      AND environments.project_id = place.project_id
      AND environments.is_present = ($4::bigint IS NOT NULL)
      AND ($4::bigint IS NULL OR environments.version = $4::bigint)
      AND (bytes_max = 0 OR ${storageBytesOf('$1')} + $5::bigint + $10::bigint <= bytes_max)
    RETURNING environments.project_id, environments.version
  ), written AS (
    INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, comment, state)
    SELECT $1, project_id, $3, version, $8, $5::bigint, $7, $6 FROM head
    RETURNING version
  )
  SELECT place.project_id, place.version, is_present, bytes_max, (SELECT version FROM written) AS written FROM place`;

interface WriteOptions {
  readonly limits: { readonly storageBytes: number; readonly headroomBytes: number };
  /** Told in which project it was written. */
  readonly onWritten: (projectId: string) => void;
}

async function write(
  query: Query,
  { accountId, slug, environment }: PublicStateKey,
  expected: Expectation,
  { stateText, stateBytes, comment, writtenAt }: NewPublicState,
  { limits, onWritten }: WriteOptions,
): Promise<WriteOutcome | NearLimit> {
  const expectedVersion = expected.kind === 'version' ? expected.version : null;
  const values = [
    ...[accountId, slug, environmentNumbers[environment], expectedVersion, stateBytes, stateText],
    ...[comment === null ? null : encodeText(comment), writtenAt, limits.storageBytes, limits.headroomBytes],
  ];
  for (;;) {
    // No row: no such project. A row without `written`: the expectation does not hold, or the account is near its limit, or
    // another write has come in between, which the next look shows.
    const [row] = await query(writeStatement, values);
    if (row === undefined) return noProject;
    if (row.written !== null) {
      onWritten(row.project_id as string);
      return { kind: 'written', version: row.written as number };
    }
    const currentVersion = row.is_present === true ? (row.version as number) : null;
    if (currentVersion !== expectedVersion) return { kind: 'conflict', currentVersion };
    if ((row.bytes_max as number) > 0) return { kind: 'near_limit', bytes: stateBytes, endUsers: 0 };
  }
}
