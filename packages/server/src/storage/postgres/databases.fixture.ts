/** Databases of a PostgreSQL server whose superuser's URL is known. */
import { randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';

const connect = (url: string): Sql => postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });

/** Runs `task` over one connection that is closed afterwards. */
async function connected<T>(url: string, task: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url);
  try {
    return await task(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Returns whether a server answers queries there. Throws when it answers with anything but that it is not there yet. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    await connected(url, (sql) => sql`SELECT 1`);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // 57P03: the server is starting up or shutting down.
    if (['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', '57P03'].includes(code ?? '')) return false;
    throw error;
  }
}

/** Makes an empty database beside the one that `url` names, and returns its URL. */
export async function createDatabase(url: string, name = `d_${randomBytes(8).toString('hex')}`): Promise<string> {
  await connected(url, (sql) => sql`CREATE DATABASE ${sql(name)}`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** Drops the database that `database` names over a connection to the one that `url` names. */
export async function dropDatabase(url: string, database: string): Promise<void> {
  const name = new URL(database).pathname.slice(1);
  await connected(url, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`);
}

/** Makes the list of the databases that `leaseDatabase` may lend, in the database that `url` names. */
export async function prepareLeases(url: string): Promise<void> {
  await connected(url, (sql) => sql`CREATE TABLE free_databases (url text PRIMARY KEY)`);
}

/** Returns what all tables of a database hold, as one text of bytes. */
export async function readBytes(url: string): Promise<string> {
  return connected(url, async (sql) => {
    const texts: string[] = [];
    for (const table of await tableNames(sql)) {
      const rows = await sql.unsafe(`COPY ${table} TO STDOUT (FORMAT binary)`).readable();
      texts.push(Buffer.concat(await rows.toArray()).toString('latin1'));
    }
    return texts.join('\n');
  });
}

/** Lets everybody read all tables of a database and nobody write to them, until the returned function is called. */
export async function holdWrites(url: string): Promise<() => Promise<void>> {
  const sql = connect(url);
  const tables = await tableNames(sql);
  const held = await sql.reserve();
  await held.unsafe(`BEGIN; LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  return async () => {
    await held`ROLLBACK`;
    held.release();
    await sql.end({ timeout: 5 });
  };
}

/** Returns the names of all tables of the database, as they stand in statements. */
export async function tableNames(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  return rows.map(({ name }) => name);
}
