/**
 * Databases as the source or target of a copy. A copy into a data directory has its own file until it is complete, and the directory's lock
 * keeps other processes out; here the tables themselves receive the copy, and `incoming_copy` keeps nodes out. The engines therefore share
 * little except the messages and the progress of a copy.
 */

import { hash } from 'node:crypto';
import { bytesAt } from '../../rows/columns.ts';
import { requireNoneNewer } from '../../sql/schema/applied-migrations.ts';
import { StoreError } from '../../store.ts';
import {
  type CopyProgress,
  copyBegun,
  copyFault,
  foreignCopy,
  requireIntactCopy,
  type TransferSource,
  type TransferTarget,
  toCopyProgress,
} from '../../transfer/copy.ts';
import { copiedKindNames, transferKinds } from '../../transfer/kinds.ts';
import { type Database, openDatabase, reachDatabase } from '../connection/database.ts';
import { requireDurability } from '../connection/durability.ts';
import { unusableDatabase } from '../connection/faults.ts';
import type { Query } from '../connection/query.ts';
import { inspectRecords } from '../inspect/inspect.ts';
import { appliedMigrations, migrate, migrations, requireComplete } from '../schema/migrations.ts';
import { activeNodes } from '../schema/nodes.ts';
import { openTransferReader } from './read.ts';
import { derivedTables, tablesOf, totals, writeRecords } from './write.ts';

/** The address of a database, and its name for messages, without a password. */
export interface TransferAddress {
  readonly url: string;
  readonly name: string;
}

/**
 * Opens a database as the source of a copy, and upgrades its schema as a node would. Rejects with an `Error` that names the database if it
 * cannot be reached, holds no store or an incomplete one, is used by a node now, or does not match this program.
 */
export function openPostgresSource(address: TransferAddress): Promise<TransferSource> {
  const { name } = address;
  return opened(address, async (database) => {
    const { query } = database;
    const identity = await readIdentity(query, name);
    requireNoneNewer(`the store in ${name}`, await appliedMigrations(query), migrations);
    await requireComplete(query, name);
    await requireUnused(query, name);
    await migrate(database);
    return {
      ...openTransferReader(query),
      identity,
      requireUnused: () => requireUnused(query, name),
      close: () => database.close(),
    };
  });
}

/**
 * Calls `work` with one connection, which waits as long as necessary, because the rest of the database's connections belong to nodes.
 * Closes it if `work` fails, and adds the name of the database to the error.
 */
export async function opened<Result>(
  { url, name }: TransferAddress,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  let database: Database | undefined;
  try {
    database = openDatabase(await reachDatabase(url, 1), { isPatient: true });
    return await work(database);
  } catch (error) {
    await database?.close();
    if (!(error instanceof StoreError)) throw error;
    throw unusableDatabase(name, error);
  }
}

/** Returns the identity of the store in a database. Throws an `Error` that names the database if there is none. */
export async function readIdentity(query: Query, name: string): Promise<string> {
  // No row: this program has never used the database.
  const tables = await query(
    `SELECT 1 FROM information_schema.tables WHERE table_name = 'installation' AND table_schema = current_schema()`,
  );
  if (tables.length === 0) throw new Error(`there is no store in ${name}`);
  // No row: no node was ever started here.
  const [row] = await query('SELECT bucket_secret FROM installation WHERE id = 1');
  if (row === undefined) throw new Error(`there is no store in ${name}`);
  return hash('sha256', bytesAt(row, 'bucket_secret'));
}

/** Rejects if other connections of this program are active in the database, as far as the database shows them. */
async function requireUnused(query: Query, name: string): Promise<void> {
  const connections = (await activeNodes(query)).length;
  if (connections === 0) return;
  throw new Error(
    `cannot copy the store in ${name}: nodes are connected to it (${connections} connections); stop them first`,
  );
}

/**
 * Opens a database as the target for a copy of the store `identity`. With `restarts`, the remains of an earlier copy are deleted first.
 * Rejects with an `Error` that names the database if it cannot be reached, holds other data, or is used by a node.
 */
export function openPostgresTarget(address: TransferAddress, identity: string, restarts: boolean): Promise<TransferTarget> {
  return opened(address, async (database) => {
    await requireDurability(database);
    await migrate(database);
    const { query } = database;
    const begun = await begin(query, address.name, identity, restarts);
    return { ...openTransferReader(query), ...targetOf(database, begun) };
  });
}

/** Replaces a kind while the tables are being emptied. */
const emptying = 'emptying';

/** Returns the progress of an earlier copy, or begins a new one. */
async function begin(query: Query, name: string, identity: string, restarts: boolean): Promise<CopyProgress> {
  // No row: no copy has begun.
  const [row] = await query('SELECT source, kind, reached AS cursor, records FROM incoming_copy WHERE id = 1');
  if (row === undefined) await requireEmpty(query, name);
  await requireUnused(query, name);
  if (row !== undefined && row.kind !== emptying && !restarts) {
    if (row.source !== identity) throw new Error(foreignCopy(name));
    return toCopyProgress(row);
  }
  if (row !== undefined) await empty(query);
  const { kind, cursor, records } = copyBegun;
  // One row, if a node was ever started here: the secret comes with the copy.
  await query('DELETE FROM installation');
  await query(
    `INSERT INTO incoming_copy (id, source, kind, reached, records) VALUES (1, $1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET source = excluded.source, kind = excluded.kind, reached = excluded.reached,
       records = excluded.records`,
    [identity, kind, cursor, records],
  );
  return copyBegun;
}

const recordTables: readonly string[] = [
  ...copiedKindNames.filter((kind) => kind !== 'installation').flatMap((kind) => tablesOf(kind).map(({ table }) => table)),
  ...derivedTables,
];

/** How many tables with rows are named if the database is not empty. */
const namedMax = 3;

async function requireEmpty(query: Query, name: string): Promise<void> {
  const held: string[] = [];
  for (const table of recordTables) {
    // No row: the table is empty.
    if ((await query(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) held.push(table.replaceAll('_', ' '));
  }
  if (held.length === 0) return;
  const named = held.slice(0, namedMax).join(', ');
  throw new Error(
    `cannot copy into ${name}: it holds ${named}${held.length > namedMax ? ' and more' : ''}; name an empty database`,
  );
}

async function empty(query: Query): Promise<void> {
  await query(`UPDATE incoming_copy SET kind = $1`, [emptying]);
  for (const table of recordTables) await query(`TRUNCATE ${table}`);
}

function targetOf(database: Database, begun: CopyProgress): Pick<TransferTarget, 'begun' | 'write' | 'publish' | 'close'> {
  let reached = begun;
  return {
    begun,
    async write({ records }, next) {
      try {
        await database.transaction('read committed', async (query) => {
          await writeRecords(query, next.kind, records, next.records);
          await advance(query, reached, next);
        });
      } catch (error) {
        throw copyFault(next.kind, error);
      }
      reached = next;
    },
    async publish(onShare) {
      onShare();
      for (const statement of [...totals.all.records, ...totals.all.accounts]) await database.query(statement);
      requireIntactCopy(await inspectRecords(database));
      // The planner has no statistics of the new tables yet.
      for (const table of recordTables) await database.query(`ANALYZE ${table}`);
      await database.query('DELETE FROM incoming_copy');
    },
    close: () => database.close(),
  };
}

async function advance(query: Query, last: CopyProgress, next: CopyProgress): Promise<void> {
  // No row: another process is copying too.
  const rows = await query(
    `UPDATE incoming_copy SET kind = $3, reached = $4, records = $5 WHERE kind = $1 AND records = $2 RETURNING id`,
    [last.kind, last.records, next.kind, next.cursor, next.records],
  );
  if (rows.length === 0) throw new Error(`another copy of ${transferKinds[next.kind].title} is under way`);
}
