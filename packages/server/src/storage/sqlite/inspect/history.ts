import type { DatabaseSync } from 'node:sqlite';
import { damageOf, documentName, HistoryInspection } from '../../history/inspection.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { readMarksIfAny } from '../../sql/upkeep/store-rollback.ts';
import type { OnShare } from '../directory/backup.ts';
import { headKeySql, placeOf } from '../schema/head-keys.ts';
import { takeSteps } from '../steps.ts';

/** The versions of one project and environment, as read from the rows. */
interface Chain {
  readonly first: number;
  version: number;
  newestId: number;
}

/** The documents found, and the installation's version floor. */
interface Found {
  readonly chains: Map<number, Chain>;
  readonly versionFloor: number;
}

interface Head {
  readonly headKey: number;
  readonly version: number;
  readonly newestId: number | null;
  /**
   * The number before the first version that must be stored: the last version of a deleted project with the same key, or the last dropped
   * version.
   */
  readonly floor: number;
}

type Name = (headKey: number) => string;

/** How many rows are read between two progress reports. */
const rowsPerReport = 1_000;

/**
 * Yields all faults in the versions of public state. They must increase by one from the floor left by a deleted project with the same key
 * to the version named by the head, except for numbers skipped after the store went back (version-floors.ts). Each must point to its
 * predecessor, and each text must match the text that was written. Memory grows with the number of documents, not of versions.
 */
export function* inspectHistory(database: DatabaseSync, onShare: OnShare): Generator<string> {
  const name = nameOf(database);
  const chains = new Map<number, Chain>();
  const { versionFloor } = takeSteps(database, readMarksIfAny());
  yield* inspectRows(database, { chains, versionFloor }, name, onShare);
  const heads = headsIn(database);
  for (const head of heads) yield* inspectHead(head, { chains, versionFloor }, name);
  yield* inspectLeft(database, chains, name);
  for (const [index, head] of heads.entries()) {
    onShare((1 + index / heads.length) / 2);
    yield* inspectTexts(database, head, name);
  }
}

/** Computes the text of every version, along the chain of its document. Damage does not affect versions outside its run. */
function* inspectTexts(database: DatabaseSync, head: Head, name: Name): Generator<string> {
  // A row for each version, newest first.
  const rows = database.prepare(`
    WITH RECURSIVE chain (id, previous_id) AS (
      SELECT id, previous_id FROM public_state_versions WHERE id = ?
      UNION ALL
      SELECT older.id, older.previous_id
      FROM chain JOIN public_state_versions AS older ON older.id = chain.previous_id AND older.id < chain.id)
    SELECT version, depth, checksum, state_bytes, state FROM chain JOIN public_state_versions USING (id)`);
  const inspection = new HistoryInspection();
  for (const row of rows.iterate(head.newestId)) yield* damageOf(inspection.add(row), name(head.headKey));
  yield* damageOf(inspection.end(), name(head.headKey));
}

/** Rows are appended, so a version always has a greater id than its predecessor. */
function* inspectRows(database: DatabaseSync, { chains, versionFloor }: Found, name: Name, onShare: OnShare) {
  const last = Number(database.prepare('SELECT max(id) AS id FROM public_state_versions').get()?.id ?? 0);
  const rows = database.prepare(`
    SELECT id, previous_id, ${headKeySql('project_id', 'environment')} AS head_key, version, depth
    FROM public_state_versions ORDER BY id`);
  let passed = 0;
  for (const row of rows.iterate()) {
    const [id, headKey, version] = [integerAt(row, 'id'), integerAt(row, 'head_key'), integerAt(row, 'version')];
    const previousId = optionalIntegerAt(row, 'previous_id');
    passed += 1;
    if (passed % rowsPerReport === 0) onShare(id / last / 2);
    const chain = chains.get(headKey);
    if (chain === undefined) {
      if (previousId !== null) yield `the versions of ${name(headKey)} before ${version} are missing`;
      chains.set(headKey, { first: version, version, newestId: id });
      continue;
    }
    const isJump = version > chain.version + 1 && version <= versionFloor && row.depth === 0;
    if (version !== chain.version + 1 && !isJump) {
      yield `version ${chain.version} of ${name(headKey)} is followed by ${version}`;
    } else if (previousId !== chain.newestId) {
      yield `version ${version} of ${name(headKey)} does not point to version ${chain.version}`;
    }
    chain.version = version;
    chain.newestId = id;
  }
}

/** A database that was not upgraded yet has all versions. */
const startsIn = (database: DatabaseSync): string =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'history_starts'").get() === undefined
    ? "(SELECT '' AS account_id, '' AS slug, 0 AS environment, 0 AS version)"
    : 'history_starts';

const headsIn = (database: DatabaseSync): Head[] =>
  database
    .prepare(
      `SELECT head_key, heads.version, newest_id, coalesce(starts.version - 1, floors.version, 0) AS floor
       FROM public_state_heads AS heads
       LEFT JOIN projects ON project_id = head_key / 4
       LEFT JOIN version_floors AS floors
         ON floors.account_id = projects.account_id AND floors.slug = projects.slug AND floors.environment = head_key % 4
       LEFT JOIN ${startsIn(database)} AS starts
         ON starts.account_id = projects.account_id AND starts.slug = projects.slug AND starts.environment = head_key % 4`,
    )
    .all()
    .map((row) => ({
      headKey: integerAt(row, 'head_key'),
      version: integerAt(row, 'version'),
      newestId: optionalIntegerAt(row, 'newest_id'),
      floor: integerAt(row, 'floor'),
    }));

/** Removes the chain of the head from `chains`. */
function* inspectHead(head: Head, { chains, versionFloor }: Found, name: Name): Generator<string> {
  const chain = chains.get(head.headKey);
  chains.delete(head.headKey);
  const document = name(head.headKey);
  if (chain === undefined) {
    if (head.newestId !== null) yield `version ${head.version} of ${document} is current, but no version is stored`;
    else if (head.version !== head.floor) yield `${document} would go on above version ${head.version}, not ${head.floor}`;
    return;
  }
  if (head.newestId !== chain.newestId || head.version !== chain.version) {
    yield `the current version of ${document} is said to be ${head.version} in row ${head.newestId}, but the newest is ${chain.version} in row ${chain.newestId}`;
  }
  const isFirst = chain.first === head.floor + 1 || (chain.first > head.floor && chain.first <= versionFloor);
  if (!isFirst) yield `${document} begins with version ${chain.first}, not ${head.floor + 1}`;
}

/** Versions without a head must be waiting for the sweep. */
function* inspectLeft(database: DatabaseSync, chains: ReadonlyMap<number, Chain>, name: Name): Generator<string> {
  const waiting = database.prepare("SELECT 1 FROM orphans WHERE kind = 'versions' AND target = ?");
  for (const [headKey, { first, version, newestId }] of chains) {
    if (waiting.get(newestId) === undefined) {
      yield `versions ${first} to ${version} of ${name(headKey)} are stored, but nothing leads to them`;
    }
  }
}

/** Returns the name of a project and environment for messages. */
function nameOf(database: DatabaseSync): Name {
  const find = database.prepare(
    'SELECT account_id, slug FROM projects JOIN accounts USING (account_id) WHERE project_id = ?',
  );
  return (headKey) => {
    const { projectId, environment } = placeOf(headKey);
    return documentName({ ...find.get(projectId), project_id: projectId, environment });
  };
}
