/** Point-in-time recovery of PostgreSQL: a base backup, an archive of the log, and a server that recovers from both to a moment. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { temporaryFolder } from '../../packages/server/src/storage/postgres/fixtures/binaries.fixture.ts';
import {
  type PostgresCluster,
  startPostgres,
} from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { connected } from '../../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { giveToPostgres } from '../../tooling/standby.ts';
import { until } from '../../tooling/until.ts';
import { recovered, requireMoment, writeAround } from './moment.ts';

const patience = { withinMilliseconds: 60_000, everyMilliseconds: 50 };

/** Restores a moment through the archive. Resolves with the passed checks, rejects if the data is not exactly that of the moment. */
export async function throughPostgresArchive(): Promise<string> {
  return withDataDir(async (place) => {
    const archive = join(temporaryFolder, `${place.split('/').at(-1)}-archive`);
    mkdirSync(archive);
    giveToPostgres(archive);
    const cluster = await startPostgres({
      // As in docs/backup.md, with the folder instead of remote storage.
      settings: { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` },
    });
    try {
      return await restoreThrough(cluster, archive, place);
    } finally {
      await cluster.dispose();
      rmSync(archive, { recursive: true, force: true });
    }
  });
}

async function restoreThrough(cluster: PostgresCluster, archive: string, place: string): Promise<string> {
  const url = await cluster.createDatabase('holdfast');
  const secret = Buffer.alloc(32, 7).toString('base64');
  const service = { dataDir: place, port: await freePort(), env: { SVC_DATABASE_URL: url, SVC_SECRET_KEY: secret } };
  const backup = join(archive, 'base');
  let moment = '';
  await connected(url, (sql) => baseBackup(sql, cluster, backup));
  const before = await writeAround(
    service,
    () =>
      connected(url, async (sql) => {
        moment = String((await sql`SELECT now()::text AS now`)[0]?.now);
      }),
    () => connected(url, untilArchived),
  );
  // The machine and its disk are lost: only the backup and the archive are left.
  await cluster.stop('kill');
  const data = join(cluster.folder, 'data');
  rmSync(data, { recursive: true });
  execFileSync('cp', ['-a', backup, data]);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
  );
  writeFileSync(join(data, 'recovery.signal'), '');
  giveToPostgres(data);
  await cluster.start();
  await connected(url, untilRecovered);
  await recovered(service);
  await requireMoment(service, before);
  const target = /recovery stopping before commit[^\n]*/.exec(readFileSync(join(cluster.folder, 'log'), 'utf8'))?.[0];
  if (target === undefined) throw new Error('the log of PostgreSQL does not say that it stopped at the moment');
  return `version ${before.version} of ${moment} is back, and nothing after it`;
}

/** Replaces `pg_basebackup`, which the PostgreSQL package lacks. @see https://www.postgresql.org/docs/18/continuous-archiving.html */
async function baseBackup(sql: Sql, { folder }: PostgresCluster, target: string): Promise<void> {
  await sql`SELECT pg_backup_start('holdfast', fast => true)`;
  execFileSync('cp', ['-a', join(folder, 'data'), target]);
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal']) rmSync(join(target, name), { recursive: true });
  mkdirSync(join(target, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 });
  chmodSync(join(target, 'pg_wal'), 0o700);
  const [label] = await sql`SELECT labelfile FROM pg_backup_stop(wait_for_archive => true)`;
  writeFileSync(join(target, 'backup_label'), label?.labelfile);
}

/** The last writes are archived once their segment is: it is full, or a minute old (`archive_timeout`), or switched. */
async function untilArchived(sql: Sql): Promise<void> {
  const [row] = await sql`SELECT pg_walfile_name(pg_switch_wal()) AS segment`;
  const isArchived = async () =>
    (await sql`SELECT last_archived_wal >= ${row?.segment} AS done FROM pg_stat_archiver`)[0]?.done === true;
  await until(isArchived, { ...patience, otherwise: `the segment ${row?.segment} was not archived` });
}

async function untilRecovered(sql: Sql): Promise<void> {
  const isRecovered = async () => (await sql`SELECT pg_is_in_recovery() AS recovering`)[0]?.recovering === false;
  await until(isRecovered, { ...patience, otherwise: 'PostgreSQL did not end its recovery' });
}
