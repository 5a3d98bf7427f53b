/**
 * Places the tables of a database of several machines, as declared (placements.ts). Each table is placed in one transaction, so whatever a
 * run has done stays, and the next one goes on.
 *
 * @see https://docs.citusdata.com/en/stable/develop/api_udf.html
 */
import { integerAt, optionalTextAt, textAt } from '../../rows/columns.ts';
import { pendingOf } from '../../sql/schema/applied-migrations.ts';
import type { Placement } from '../../sql/schema/declaration.ts';
import { type Database, reachDatabase, withDatabase } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';
import { appliedMigrations, migrations } from './migrations.ts';
import { activeNodes } from './nodes.ts';
import { placements } from './placements.ts';

/** The versions that were tried with this program. */
const knownVersions: ReadonlySet<string> = new Set(['13.2']);

/** One table that is not where it belongs. */
export interface PlacementStep {
  readonly table: string;
  /** Where it is now, and where it belongs, in words. */
  readonly from: string;
  readonly to: string;
  readonly statements: readonly Statement[];
}

/** A statement with the values of its parameters. */
type Statement = readonly [sql: string, ...values: string[]];

/** A database of several machines, and what is to be done there. */
export interface Distribution {
  /** The version of Citus; null if the database does not have it. */
  readonly version: string | null;
  readonly isKnown: boolean;
  readonly workers: number;
  readonly steps: readonly PlacementStep[];
  /** Why nothing can be placed now, each with what to do. `force` does not help. */
  readonly obstacles: readonly string[];
}

/** Returns what is to be done in the database of a URL. Changes nothing. Rejects if the database cannot be reached. */
export async function previewDistribution(url: string): Promise<Distribution> {
  return withDatabase(await reachDatabase(url, 1), ({ query }) => readDistribution(query));
}

/**
 * Carries out all steps; `onPlaced` is called after each. Returns the steps. Throws an `Error` with the reason if anything prevents it, or
 * a node is connected.
 */
export async function distribute(url: string, onPlaced: (step: PlacementStep) => void): Promise<readonly PlacementStep[]> {
  return withDatabase(await reachDatabase(url, 1), async (database) => {
    const { steps, obstacles } = await readDistribution(database.query);
    if (obstacles.length > 0) throw new Error(obstacles.join('; '));
    const nodes = steps.length === 0 ? [] : await activeNodes(database.query);
    if (nodes.length > 0) {
      throw new Error(`a node of the service is connected (${nodes.length} connections): stop all nodes first`);
    }
    for (const step of steps) {
      await place(database, step);
      onPlaced(step);
    }
    return steps;
  });
}

async function place(database: Database, { statements }: PlacementStep): Promise<void> {
  await database.transaction('read committed', async (query) => {
    // One connection to each machine: a table with copies may have been changed in the same transaction.
    await query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    for (const [sql, ...values] of statements) await query(sql, values);
  });
}

/** Returns the tables of an open database that are not where they belong, in words; none if it has only one machine. */
export async function misplacedTables(query: Query): Promise<readonly string[]> {
  if ((await versionOf(query)) === null) return [];
  const rows = await query('SELECT count(*) AS placed FROM pg_dist_partition');
  if (Number(rows[0]?.placed) === 0) return [];
  return (await stepsOf(query)).map(({ table, from, to }) => `${table} (${from} instead of ${to})`);
}

/** Whether the rows of accounts of an open database are on several machines. */
export async function isDistributed(query: Query): Promise<boolean> {
  if ((await versionOf(query)) === null) return false;
  return (await query("SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'environments'::regclass")).length > 0;
}

async function readDistribution(query: Query): Promise<Distribution> {
  const version = await versionOf(query);
  if (version === null) {
    const obstacle = 'the database has no Citus extension: run CREATE EXTENSION citus in it, on every machine';
    return { version, isKnown: false, workers: 0, steps: [], obstacles: [obstacle] };
  }
  const { workers, obstacles } = await machines(query);
  const pending = await isOutdated(query);
  if (pending)
    obstacles.push('the tables are missing or older than this program: start one of its nodes once, and stop it');
  const isKnown = knownVersions.has(version.replace(/-.*/, ''));
  return { version, isKnown, workers, steps: pending ? [] : await stepsOf(query), obstacles };
}

async function versionOf(query: Query): Promise<string | null> {
  // No row: the database has one machine.
  const [row] = await query("SELECT extversion FROM pg_extension WHERE extname = 'citus'");
  return row === undefined ? null : textAt(row, 'extversion');
}

async function isOutdated(query: Query): Promise<boolean> {
  const found = await query("SELECT 1 FROM pg_class WHERE oid = to_regclass('migrations')");
  return found.length === 0 || pendingOf(await appliedMigrations(query), migrations).length > 0;
}

/** The machines that take rows, and why they cannot be used. */
async function machines(query: Query): Promise<{ readonly workers: number; readonly obstacles: string[] }> {
  const obstacles: string[] = [];
  // One row, always.
  const [own = {}] = await query(
    `SELECT groupid, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser FROM pg_dist_local_group`,
  );
  if (own.is_superuser !== true) obstacles.push('SVC_DATABASE_URL must name a superuser for this command');
  if (integerAt(own, 'groupid') !== 0) obstacles.push('SVC_DATABASE_URL names a worker: it must be the coordinator');
  // A row for each machine.
  const nodes = await query(
    "SELECT groupid, nodename, nodeport, isactive, shouldhaveshards FROM pg_dist_node WHERE noderole = 'primary'",
  );
  if (!nodes.some(({ groupid }) => groupid === 0)) {
    obstacles.push(
      "the coordinator keeps no copies yet: run SELECT citus_set_coordinator_host('HOST'), as workers reach it",
    );
  }
  const workers = nodes.filter(({ groupid, shouldhaveshards }) => groupid !== 0 && shouldhaveshards === true);
  if (workers.length === 0) obstacles.push("there is no worker: run SELECT citus_add_node('HOST', PORT) for each");
  for (const { nodename, nodeport, isactive } of nodes) {
    if (isactive !== true) obstacles.push(`${nodename}:${nodeport} is disabled: run SELECT citus_activate_node for it`);
  }
  // A row for each pair of machines without a connection.
  const broken = await query(
    `SELECT from_nodename, from_nodeport, to_nodename, to_nodeport FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE`,
  );
  for (const row of broken) {
    obstacles.push(`${row.from_nodename}:${row.from_nodeport} cannot reach ${row.to_nodename}:${row.to_nodeport}`);
  }
  return { workers: workers.length, obstacles };
}

async function stepsOf(query: Query): Promise<PlacementStep[]> {
  // A row for each table that Citus knows.
  const rows = await query(
    `SELECT logicalrelid::text AS name, CAST(partmethod AS text) AS method, CAST(repmodel AS text) AS model,
       colocationid AS together, column_to_column_name(logicalrelid, partkey) AS column_name
     FROM pg_dist_partition`,
  );
  const placed = new Map(rows.map((row) => [textAt(row, 'name'), row]));
  const steps: PlacementStep[] = [];
  const moved = new Set<string>();
  for (const [table, placement] of Object.entries(placements)) {
    const row = placed.get(table);
    const [from, to] = [wordsOf(currentOf(row)), wordsOf(placement)];
    const isApart =
      typeof placement === 'object' &&
      placement.with !== null &&
      (moved.has(placement.with) || row?.together !== placed.get(placement.with)?.together);
    if (from === to && !isApart) continue;
    moved.add(table);
    const undo: readonly Statement[] = row === undefined ? [] : [['SELECT undistribute_table($1::regclass)', table]];
    steps.push({ table, from: from === to ? 'apart' : from, to, statements: [...undo, ...statementsOf(table, placement)] });
  }
  return steps;
}

/** How Citus describes a table, as a placement. */
function currentOf(row: Awaited<ReturnType<Query>>[number] | undefined): Placement | { readonly by: string } {
  if (row === undefined) return 'local';
  const column = optionalTextAt(row, 'column_name');
  if (column !== null) return { by: column };
  return row.model === 't' ? 'reference' : 'managed';
}

const words = {
  local: 'on the coordinator',
  managed: 'on the coordinator, known to Citus',
  reference: 'a copy on every machine',
} as const;
const wordsOf = (placement: Placement | { readonly by: string }): string =>
  typeof placement === 'string' ? words[placement] : `by ${placement.by}`;

/** The last statement of each frees the space of the rows that were moved. */
function statementsOf(table: string, placement: Placement): readonly Statement[] {
  if (placement === 'local') return [];
  if (placement === 'managed') return [['SELECT citus_add_local_table_to_metadata($1::regclass)', table]];
  const spread = 'SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)';
  return [
    placement === 'reference'
      ? ['SELECT create_reference_table($1::regclass)', table]
      : [spread, table, placement.by, placement.with ?? 'none'],
    ['SELECT truncate_local_data_after_distributing_table($1::regclass)', table],
  ];
}
