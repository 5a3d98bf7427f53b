/** A second PostgreSQL that follows a first one and can replace it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unprivileged } from '../packages/server/src/storage/postgres/fixtures/binaries.fixture.ts';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { connected } from '../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import { until } from './until.ts';

const followMillisecondsMax = 60_000;

export interface Standby {
  readonly cluster: PostgresCluster;
  /** Makes it a primary; resolves when it accepts writes. The first server must have stopped. */
  promote(): Promise<void>;
}

/**
 * Makes a standby of `primary`, which is stopped for a moment to be copied. From then on the primary acknowledges a commit only when the
 * standby has it too. Rejects if the standby does not begin to follow within 20 s.
 */
export async function startStandby(primary: PostgresCluster): Promise<Standby> {
  const cluster = await startPostgres(); // for its folder, port and supervision; its data is replaced
  try {
    await cluster.stop();
    await primary.stop();
    copyData(primary, cluster);
    await primary.start();
    await cluster.start();
    await requireFollower(primary);
  } catch (error) {
    await cluster.dispose();
    throw error;
  }
  return {
    cluster,
    promote: () => connected(cluster.url(), async (sql) => void (await sql`SELECT pg_promote()`)),
  };
}

function copyData(primary: PostgresCluster, standby: PostgresCluster): void {
  const data = join(standby.folder, 'data');
  rmSync(data, { recursive: true });
  cpSync(join(primary.folder, 'data'), data, { recursive: true, mode: 0 });
  const { username, password, port } = new URL(primary.url());
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  appendFileSync(join(data, 'postgresql.conf'), `port = ${standby.port}\nprimary_conninfo = '${source}'\n`);
  // The copy has the users of the primary with their passwords, and the URL of the server that it replaces.
  writeFileSync(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  writeFileSync(join(data, 'standby.signal'), '');
  giveToPostgres(data);
}

/** Gives a folder to PostgreSQL's user, which is different if this process runs as root. */
export function giveToPostgres(folder: string): void {
  if (unprivileged !== undefined) execFileSync('chown', ['-R', `${unprivileged}:${unprivileged}`, folder]);
}

/** Makes the primary wait for the standby from now on, and waits until it follows. */
async function requireFollower(primary: PostgresCluster): Promise<void> {
  await connected(primary.url(), async (sql) => {
    await sql`ALTER SYSTEM SET synchronous_standby_names = 'standby'`;
    await sql`SELECT pg_reload_conf()`;
    const follows = async () =>
      (await sql`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`).length > 0;
    const otherwise = `the standby does not follow within ${followMillisecondsMax / 1000} s`;
    await until(follows, { withinMilliseconds: followMillisecondsMax, otherwise });
  });
}
