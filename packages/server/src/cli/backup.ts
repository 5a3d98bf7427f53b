/** `holdfast backup`: copies the embedded database while the service runs. */

import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { now } from '../common/clock.ts';
import type { Config } from '../config/config.ts';
import { syncDirectory } from '../secrets/secret-key.ts';
import { copyDatabase, openBackup, writeLabel } from '../storage/sqlite/directory/backup.ts';
import { type Inspection, inspectDatabase } from '../storage/sqlite/inspect/inspect.ts';
import { CommandFault } from './fault.ts';
import { demandDatabase, demandEmbedded } from './operator.ts';
import { printJson, printTable } from './print.ts';
import { checkTitles, createProgress, type Progress } from './progress.ts';
import { findSecretKey } from './secret-key.ts';
import { formatBytes, formatCount } from './units.ts';

export interface BackupOptions {
  readonly force?: true;
  readonly withSecretKey?: true;
  /** False: the copy is not examined. */
  readonly verify: boolean;
  readonly json?: true;
}

const damaged = 'the database is damaged and was not backed up; "holdfast doctor" says what to do:';

/**
 * Copies the database to `file`, which appears complete or not at all, and prints its contents. Throws `CommandFault` when the
 * file exists, and when the copy is damaged, which means that the database is.
 */
export async function backupCommand(config: Config, file: string, options: BackupOptions): Promise<void> {
  demandEmbedded(config, 'holdfast backup');
  await demandDatabase(config);
  const target = resolve(file);
  demandPlace(target, options);
  const secretKey = options.withSecretKey ? demandSecretKey(config) : null;
  const takenAt = now();
  const progress = createProgress();
  const draft = `${target}.${process.pid}.partial`;
  let inspection: Inspection | undefined;
  removeAbandoned(target);
  const stopRemoving = removeOnSignal(draft);
  try {
    progress.show('Copying');
    await copyDatabase(config.dataDir, draft, (share) => progress.show('Copying', share));
    inspection = options.verify ? inspectCopy(draft, progress, damaged) : undefined;
    writeLabel(draft, { takenAt, secretKey });
    publish(draft, target, options.force ?? false);
  } finally {
    progress.end();
    stopRemoving();
    rmSync(draft, { force: true });
  }
  print(
    {
      file: target,
      bytes: statSync(target).size,
      takenAt: new Date(takenAt).toISOString(),
      seconds: (now() - takenAt) / 1000,
      secretKey: secretKey ? 'included' : 'not_included',
      verified: inspection !== undefined,
      counts: inspection?.counts ?? null,
    },
    options,
  );
}

/**
 * Returns the contents of a copy. Throws `CommandFault` with `consequence` and a line for each fault in it. Wrong counts of
 * what accounts use are accepted: they are no reason to have no backup.
 */
export function inspectCopy(path: string, progress: Progress, consequence: string): Inspection {
  const database = openBackup(path);
  try {
    const inspection = inspectDatabase(database, (check, share) => progress.show(checkTitles[check], share));
    const damage = inspection.faults.filter(({ check }) => check !== 'usage');
    if (damage.length > 0) throw new CommandFault(consequence, ...damage.map(({ message }) => `  ${message}`));
    return inspection;
  } finally {
    database.close();
  }
}

/** Fails early for what would fail at the end. */
function demandPlace(target: string, { force }: BackupOptions): void {
  if (!existsSync(dirname(target))) throw new CommandFault(`cannot write ${target}: there is no folder ${dirname(target)}`);
  if (existsSync(target) && !force) throw new CommandFault(`cannot write ${target}: the file exists; --force replaces it`);
  if (existsSync(target) && !statSync(target).isFile()) throw new CommandFault(`cannot write ${target}: it is not a file`);
}

function demandSecretKey(config: Config): Uint8Array {
  const secretKey = findSecretKey(config);
  if (secretKey) return secretKey;
  throw new CommandFault(`cannot include the secret key: there is none in ${config.dataDir} and SVC_SECRET_KEY is not set`);
}

/** Gives the draft its final name. A file that has appeared under that name is kept unless `replace` is set. */
function publish(draft: string, target: string, replace: boolean): void {
  if (replace) renameSync(draft, target);
  else linkSync(draft, target);
  syncDirectory(dirname(target));
}

/** Removes drafts of processes that no longer run. */
function removeAbandoned(target: string): void {
  const name = basename(target);
  for (const entry of readdirSync(dirname(target))) {
    const pid = entry.startsWith(`${name}.`)
      ? /^\.(\d+)\.partial(?:-journal)?$/.exec(entry.slice(name.length))?.[1]
      : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dirname(target), entry), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Removes the draft on Ctrl-C. Returns a function that ends this. */
function removeOnSignal(draft: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    rmSync(`${draft}-journal`, { force: true });
    process.off(signal, end).kill(process.pid, signal);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}

interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly takenAt: string;
  readonly seconds: number;
  readonly secretKey: 'included' | 'not_included';
  readonly verified: boolean;
  readonly counts: Inspection['counts'] | null;
}

function print(result: BackupResult, { json }: BackupOptions): void {
  if (json) {
    printJson(result);
    return;
  }
  printTable([
    ['Backup', result.file],
    ['Taken', result.takenAt],
    ['Size', formatBytes(result.bytes)],
    ...countRows(result.counts),
    ['Verified', result.verified ? 'yes' : 'no'],
    ['Secret key', result.secretKey === 'included' ? 'included: anybody who has the file can sign tokens' : 'not included'],
  ]);
  if (result.secretKey === 'not_included') {
    process.stdout.write(
      'Keep the secret key elsewhere: without it, a restore signs everybody out (see holdfast restore --help).\n',
    );
  }
}

/** Rows with the counts of a database. */
export function countRows(counts: Inspection['counts'] | null): string[][] {
  if (counts === null) return [];
  return [
    ['Accounts', formatCount(counts.accounts)],
    ['Projects', formatCount(counts.projects)],
    ['Versions', formatCount(counts.publicStateVersions)],
    ['User states', formatCount(counts.userStates)],
  ];
}
