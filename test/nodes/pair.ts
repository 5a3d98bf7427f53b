/** Two nodes on one PostgreSQL, and an identity provider that the test controls. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import {
  type PostgresCluster,
  startPostgres,
} from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { startUnhindered } from '../../tooling/readings.ts';
import { startServerProcess } from '../../tooling/server-process.ts';
import { audience, openWorld, type World } from '../oauth/world.ts';

export interface Pair {
  readonly cluster: PostgresCluster;
  /** One node is in this process, so that tests can sign any token. The other is a separate process. */
  readonly world: World;
  /** Base URLs of both nodes. */
  readonly nodes: readonly [string, string];
  /** Starts to measure milliseconds, without those for which a node had no processor. */
  startClock(): () => number;
  /** `SVC_…` variables for another node. */
  readonly shared: Readonly<Record<string, string>>;
  /** For data folders of further processes; removed at the end. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts the database and both nodes. */
export async function openPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pair-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const cluster = await startPostgres();
    ends.push(cluster.dispose);
    const port = await freePort();
    const shared = {
      SVC_DATABASE_URL: await cluster.createDatabase(),
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_BASE_URL: `http://127.0.0.1:${port}`,
      SVC_REFRESH_REPLAY_GRACE_SECONDS: '0', // every replay ends its family
    };
    const world = await openWorld({ settings: { ...shared, SVC_PORT: String(port) } });
    ends.push(world.stop);
    const env = { ...shared, SVC_IDP_ISSUER: world.provider.issuer, SVC_IDP_AUDIENCE: audience };
    const other = await startServerProcess({ dataDir: join(folder, 'other'), port: await freePort(), env });
    ends.push(other.stop);
    const startClock = () => startUnhindered('self', other.pid);
    return { cluster, world, nodes: [world.server.baseUrl, other.baseUrl], startClock, shared, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
