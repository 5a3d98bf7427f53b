/**
 * Reading public state. A read checks the row of the environment and fetches the document only if its version is not cached here. Versions
 * never change, so the number of the current version is enough. If the document has changed since and the cached version is in the same
 * run, only the edits are sent.
 */
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../../../common/async/awaitable.ts';
import { publicStateName } from '../../../caches/record-names.ts';
import type { PublicStateKey, ReadOutcome } from '../../../contract/public-states.ts';
import { restoreVersion } from '../../../history/restore-versions.ts';
import { type KeptVersion, runVersionsMax } from '../../../history/versions.ts';
import { integerAt, type Row, textAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { noProject } from '../../../rows/state-rows.ts';
import { StoreFault } from '../../../store.ts';
import type { Database } from '../../connection/database.ts';
import { createTurnBatches } from '../../turn-batches.ts';

export interface PublicStateReads {
  /** Reads the current version. */
  read(key: PublicStateKey): Promise<ReadOutcome<KeptVersion>>;
  /** The cached version, which may be outdated. */
  remembered(key: PublicStateKey): ReadOutcome<KeptVersion> | undefined;
  /** Caches a version that was written here, so that the next one can be stored as edits. */
  keep(key: PublicStateKey, projectId: string, record: KeptVersion): void;
}

/** A cached version, and its project. */
interface CachedVersion {
  readonly projectId: string;
  readonly outcome: Extract<ReadOutcome<KeptVersion>, { kind: 'present' }>;
}

const absent = { kind: 'absent' } as const;
/** The size of an entry apart from its name and text, in characters. */
const entryCharacters = 300;
/** How many environments one statement reads. Each may return a document. */
const togetherMax = 32;

/** Returns reads that cache about this many characters of state. */
export function createPublicStateReads(database: Pick<Database, 'query'>, cacheCharactersMax: number): PublicStateReads {
  const remembered = new LRUCache<string, CachedVersion>({ maxSize: cacheCharactersMax });

  /** Undefined if the rows are edits of a version other than the cached one. */
  const outcomeOf = (
    key: PublicStateKey,
    known: CachedVersion | undefined,
    rows: readonly Row[],
  ): ReadOutcome<KeptVersion> | undefined => {
    // No row: no such project. A row that is not `is_present`: nothing is stored in this environment. A row without `version`: the current
    // version is the known one. Otherwise a row for each version of the run, or for the unknown ones.
    const [row] = rows;
    if (row === undefined) return noProject;
    if (row.is_present !== true) return absent;
    if (row.version === null && known !== undefined) return known.outcome;
    const before = rows.at(-1)?.depth === 0 ? undefined : known?.outcome.record;
    try {
      const record = restoreVersion(rows, integerAt(row, 'current_version'), () => publicStateName(key), before);
      return remember(key, textAt(row, 'project_id'), record);
    } catch (error) {
      if (before === undefined || !(error instanceof StoreFault)) throw error;
      remembered.delete(publicStateName(key));
      return undefined;
    }
  };

  const remember = (key: PublicStateKey, projectId: string, record: KeptVersion): CachedVersion['outcome'] => {
    const name = publicStateName(key);
    const outcome = { kind: 'present', record } as const;
    remembered.set(name, { projectId, outcome }, { size: entryCharacters + name.length + record.stateText.length });
    return outcome;
  };

  const readOne = async (key: PublicStateKey): Promise<ReadOutcome<KeptVersion>> => {
    const known = remembered.get(publicStateName(key));
    return outcomeOf(key, known, await database.query(readStatement, readValues(key, known))) ?? readOne(key);
  };

  const readTogether = async (keys: readonly PublicStateKey[]): Promise<Awaitable<ReadOutcome<KeptVersion>>[]> => {
    if (keys.length === 1) return [await readOne(keys[0] as PublicStateKey)];
    const known = keys.map((key) => remembered.get(publicStateName(key)));
    const wanted = keys.map(({ slug, environment }, n) => ({
      n,
      slug,
      environment: environmentNumbers[environment],
      project_id: known[n]?.projectId,
      version: known[n]?.outcome.record.version,
    }));
    const values = [(keys[0] as PublicStateKey).accountId, JSON.stringify(wanted)];
    const rows = Map.groupBy(await database.query(readTogetherStatement, values), ({ n }) => n);
    return keys.map((key, n) => outcomeOf(key, known[n], rows.get(n) ?? []) ?? readOne(key));
  };

  const read = createTurnBatches({
    groupOf: ({ accountId }) => accountId,
    nameOf: publicStateName,
    sizeOf: () => 1,
    sizeMax: togetherMax,
    carryOut: readTogether,
  });
  return {
    read,
    remembered: (key) => remembered.get(publicStateName(key))?.outcome,
    keep: (key, projectId, record) => void remember(key, projectId, record),
  };
}

/**
 * Fetches the run of `found` up to the current version, newest first. If the known version is in the same run, only later versions are
 * fetched; none if it is the current version. Both known values may be null.
 */
const written = (found: string, environment: string, knownProject: string, knownVersion: string) => `
  LEFT JOIN LATERAL (
    SELECT run.version, run.depth, run.checksum, run.state_bytes, run.comment, run.state
    FROM (
      SELECT depth FROM public_state_versions AS versions
      WHERE versions.account_id = $1 AND versions.project_id = ${found}.project_id
        AND versions.environment = ${environment} AND versions.version = ${found}.version AND ${found}.is_present
        AND (${knownProject} IS NULL OR ${found}.project_id <> ${knownProject} OR ${found}.version <> ${knownVersion})
      LIMIT 1
    ) AS newest JOIN LATERAL (
      SELECT * FROM public_state_versions AS versions
      WHERE versions.account_id = $1 AND versions.project_id = ${found}.project_id AND versions.environment = ${environment}
        AND versions.version BETWEEN greatest(${found}.version - newest.depth, CASE
          WHEN ${found}.project_id = ${knownProject} AND ${knownVersion} < ${found}.version THEN ${knownVersion} + 1
          ELSE 0 END) AND ${found}.version
      ORDER BY versions.version DESC LIMIT ${runVersionsMax}
    ) AS run ON true
  ) AS written ON true`;

/** One environment: $1 account, $2 slug, $3 number; $4 and $5 are the known project and version, or null. */
export const readStatement = `
  SELECT environments.project_id, environments.version AS current_version, is_present, written.*
  FROM accounts
  JOIN environments ON environments.account_id = accounts.account_id
  ${written('environments', '$3', '$4::uuid', '$5::bigint')}
  WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
  ORDER BY written.version DESC`;

function readValues({ accountId, slug, environment }: PublicStateKey, known: CachedVersion | undefined) {
  const { projectId = null, outcome } = known ?? {};
  return [accountId, slug, environmentNumbers[environment], projectId, outcome?.record.version ?? null];
}

/**
 * Several environments of one account ($1); $2 holds the same values for each, and its number `n`. The limits make the database look up
 * every row by its key, however few rows the tables may seem to have.
 */
const readTogetherStatement = `
  SELECT wanted.n, found.project_id, found.version AS current_version, is_present, written.*
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
  WHERE accounts.account_id = $1
  ORDER BY wanted.n, written.version DESC`;
