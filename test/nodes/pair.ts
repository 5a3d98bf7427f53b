/** Two nodes over one PostgreSQL, and an identity provider under the test's control. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import {
  type PostgresCluster,
  startPostgres,
} from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { startServerProcess } from '../../tooling/server-process.ts';
import { audience, openWorld, type World } from '../oauth/world.ts';

export interface Pair {
  readonly cluster: PostgresCluster;
  /** One node lives in this process, which can so make tokens of any kind; the other one is a process of its own. */
  readonly world: World;
  /** The base URLs of both. */
  readonly nodes: readonly [string, string];
  /** The `SVC_…` variables that join a process to them. */
  readonly shared: Readonly<Record<string, string>>;
  /** For data directories of more processes; removed at the end. */
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
    return { cluster, world, nodes: [world.server.baseUrl, other.baseUrl], shared, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
