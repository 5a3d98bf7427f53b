/**
 * Reading public state. A read looks at the row of the environment and fetches the document only if its version is not
 * remembered here. Versions never change, so the number of the current version is enough.
 */
import { LRUCache } from 'lru-cache';
import { environmentNumbers, type Row, toPublicState } from '../../rows.ts';
import type { PublicState, PublicStateKey, ReadOutcome } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { createTurnBatches } from './turn-batches.ts';

export interface PublicStateReads {
  /** Reads the current version. */
  read(key: PublicStateKey): Promise<ReadOutcome<PublicState>>;
  /** Remembers a version that was written here, if the one before was read here. */
  keepUp(key: PublicStateKey, projectId: string, record: PublicState): void;
}

/** A remembered version, and the project that it belongs to. */
interface Remembered {
  readonly projectId: string;
  readonly outcome: Extract<ReadOutcome<PublicState>, { kind: 'present' }>;
}

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;
/** The room of an entry beside its name and text, in characters. */
const entryCharacters = 300;
/** How many environments one statement looks at. Each may return a document. */
const togetherMax = 32;

/** Returns reads that keep about this many characters of state in memory. */
export function createPublicStateReads(database: Pick<Database, 'query'>, cacheCharactersMax: number): PublicStateReads {
  const remembered = new LRUCache<string, Remembered>({ maxSize: cacheCharactersMax });

  const outcomeOf = (
    key: PublicStateKey,
    known: Remembered | undefined,
    row: Row | undefined,
  ): ReadOutcome<PublicState> => {
    // No row: no such project. A row that is not `is_present`: nothing is written to this environment. A row without
    // `state`: the current version is the known one.
    if (row === undefined) return noProject;
    if (row.is_present !== true) return absent;
    if (row.state === null && known !== undefined) return known.outcome;
    return remember(key, row.project_id as string, toPublicState(row));
  };

  const remember = (key: PublicStateKey, projectId: string, record: PublicState): Remembered['outcome'] => {
    const name = stateName(key);
    const outcome = { kind: 'present', record } as const;
    remembered.set(name, { projectId, outcome }, { size: entryCharacters + name.length + record.stateText.length });
    return outcome;
  };

  const readTogether = async (keys: readonly PublicStateKey[]): Promise<ReadOutcome<PublicState>[]> => {
    const known = keys.map((key) => remembered.get(stateName(key)));
    if (keys.length === 1) {
      const [row] = await database.query(readStatement, readValues(keys[0] as PublicStateKey, known[0]));
      return [outcomeOf(keys[0] as PublicStateKey, known[0], row)];
    }
    const wanted = keys.map(({ slug, environment }, n) => ({
      ...{ n, slug, environment: environmentNumbers[environment] },
      ...{ project_id: known[n]?.projectId, version: known[n]?.outcome.record.version },
    }));
    const rows: Row[] = [];
    for (const row of await database.query(readTogetherStatement, [
      (keys[0] as PublicStateKey).accountId,
      JSON.stringify(wanted),
    ])) {
      rows[row.n as number] = row;
    }
    return keys.map((key, n) => outcomeOf(key, known[n], rows[n]));
  };

  const read = createTurnBatches({
    groupOf: ({ accountId }) => accountId,
    nameOf: stateName,
    sizeOf: () => 1,
    sizeMax: togetherMax,
    carryOut: readTogether,
  });
  return {
    read,
    keepUp(key, projectId, record) {
      if (remembered.has(stateName(key))) remember(key, projectId, record);
    },
  };
}

/** The same key object is used again and again; joining its name takes longer than finding it. */
const stateNames = new WeakMap<PublicStateKey, string>();

/** Returns the name of an environment among all accounts. */
export function stateName(key: PublicStateKey): string {
  let name = stateNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}/${key.environment}`;
    stateNames.set(key, name);
  }
  return name;
}

/** Fetches the document of the current version of `found`, unless that is the known one. Both known values may be null. */
const written = (found: string, environment: string, knownProject: string, knownVersion: string) => `
  LEFT JOIN LATERAL (
    SELECT state_bytes, comment, state FROM public_state_versions AS versions
    WHERE versions.account_id = $1 AND versions.project_id = ${found}.project_id
      AND versions.environment = ${environment} AND versions.version = ${found}.version AND ${found}.is_present
      AND (${knownProject} IS NULL OR ${found}.project_id <> ${knownProject} OR ${found}.version <> ${knownVersion})
    LIMIT 1
  ) AS written ON true`;

/** One environment: $1 account, $2 slug, $3 number; $4 and $5 are the known project and version, or null. */
export const readStatement = `
  SELECT environments.project_id, environments.version, is_present, state_bytes, comment, state
  FROM accounts
  JOIN environments ON environments.account_id = accounts.account_id
  ${written('environments', '$3', '$4::uuid', '$5::bigint')}
  WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3`;

function readValues({ accountId, slug, environment }: PublicStateKey, known: Remembered | undefined) {
  const { projectId = null, outcome } = known ?? {};
  return [accountId, slug, environmentNumbers[environment], projectId, outcome?.record.version ?? null];
}

/**
 * Several environments of one account ($1); $2 holds the same values for each, and its number `n`. The limits make the
 * database look up every row by its key, however few rows the tables may seem to have.
 */
const readTogetherStatement = `
  SELECT wanted.n, found.project_id, found.version, is_present, state_bytes, comment, state
  FROM accounts
  CROSS JOIN json_to_recordset($2::text::json)
    AS wanted (n integer, slug text, environment smallint, project_id uuid, version bigint)
  JOIN LATERAL (
    SELECT project_id, version, is_present FROM environments
    WHERE environments.account_id = $1 AND environments.slug = wanted.slug
      AND environments.environment = wanted.environment
    LIMIT 1
  ) AS found ON true
  ${written('found', 'wanted.environment', 'wanted.project_id', 'wanted.version')}
  WHERE accounts.account_id = $1`;
