/** The PostgreSQL of a run, with durable commits. */
import { randomBytes } from 'node:crypto';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { familyCpuSeconds } from './processor-time.ts';
import type { Measurement } from './server-process.ts';

/** An empty database for one installation of the service. */
export interface BenchDatabase {
  readonly url: string;
  /** Variables of the nodes of the installation. */
  readonly place: Readonly<Record<string, string>>;
  /** Adds the database's cost to a measurement. */
  measure(work: () => Promise<Measurement>): Promise<Measurement>;
}

/** Connections of one node, as in the default settings. */
export const databaseConnections = 16;

let cluster: Promise<PostgresCluster> | undefined;

/** Creates an empty database on the server of this run, starting the server if necessary. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  cluster ??= startPostgres();
  const { createDatabase, pid } = await cluster;
  const url = await createDatabase();
  const place = {
    SVC_DATABASE_URL: url,
    SVC_DATABASE_CONNECTIONS: String(databaseConnections),
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return {
    url,
    place,
    async measure(work) {
      const before = familyCpuSeconds(pid as number);
      const measurement = await work();
      const databaseCpuSeconds = familyCpuSeconds(pid as number) - before;
      return {
        ...measurement,
        databaseMicrosecondsPerRequest: (databaseCpuSeconds / measurement.report.requests) * 1e6,
      };
    },
  };
}

/** Stops the server of this run, if it runs. */
export async function closeBenchDatabases(): Promise<void> {
  await (await cluster)?.dispose();
}
