/** The PostgreSQL of a run, which keeps what it acknowledges. */
import { randomBytes } from 'node:crypto';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { familyCpuSeconds } from './processor-time.ts';
import type { Measurement } from './server-process.ts';

/** An empty database for one installation of the service. */
export interface BenchDatabase {
  readonly url: string;
  /** Variables of the nodes of the installation. */
  readonly place: Readonly<Record<string, string>>;
  /** Adds to a measurement what the database took for it. */
  measure(work: () => Promise<Measurement>): Promise<Measurement>;
}

/** Of one node, as the service has it when nothing is said. */
export const databaseConnections = 16;

let cluster: Promise<PostgresCluster> | undefined;

/** Makes an empty database on the server of this run, which it starts when there is none. */
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

/** Ends the server of this run, if there is one. */
export async function closeBenchDatabases(): Promise<void> {
  await (await cluster)?.dispose();
}
