/** The PostgreSQL of a run, with durable commits. */
import { randomBytes } from 'node:crypto';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { familyCpuSeconds } from './readings.ts';

/** Storage of a server: its folder, or PostgreSQL. */
export const engines = ['embedded', 'postgresql'] as const;
export type Engine = (typeof engines)[number];

/** An empty database for one installation of the service. */
export interface RunDatabase {
  readonly url: string;
  /** Variables of the installation's nodes. */
  readonly place: Readonly<Record<string, string>>;
  /** The database's processor time so far. */
  cpuSeconds(): number;
}

/** Connections of one node, as in the default settings. */
export const databaseConnections = 16;

let cluster: Promise<PostgresCluster> | undefined;

/** Creates an empty database on the server of this run, starting the server if necessary. */
export async function openRunDatabase(): Promise<RunDatabase> {
  cluster ??= startPostgres();
  const { createDatabase, pid } = await cluster;
  const url = await createDatabase();
  const place = {
    SVC_DATABASE_URL: url,
    SVC_DATABASE_CONNECTIONS: String(databaseConnections),
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return { url, place, cpuSeconds: () => familyCpuSeconds(pid as number) };
}

/** Stops the server of this run, if it runs. A later database starts another. */
export async function closeRunDatabases(): Promise<void> {
  const closing = cluster;
  cluster = undefined;
  await (await closing)?.dispose();
}
