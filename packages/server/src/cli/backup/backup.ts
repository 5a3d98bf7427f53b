/** `holdfast backup`: copies the embedded database while the service runs. */

import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { syncDirectory } from '../../secrets/secret-key.ts';
import { copyDatabase, openBackup, writeLabel } from '../../storage/sqlite/directory/backup.ts';
import { type Inspection, inspectDatabase } from '../../storage/sqlite/inspect/inspect.ts';
import { CommandFault } from '../fault.ts';
import { requireDatabase, requireEmbedded } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { checkTitles, createProgress, type Progress } from '../progress.ts';
import { findSecretKey } from '../secret-key.ts';
import { formatBytes, formatCount } from '../units.ts';
import {
  type BackupDestination,
  draftOf,
  oldestIn,
  removeAbandoned,
  resolveBackupDestination,
} from './backup-destination.ts';
import { requireMetricFile, writeMetric } from './backup-metric.ts';

export interface BackupOptions {
  readonly force?: true;
  readonly withSecretKey?: true;
  /** False: the copy is not checked. */
  readonly verify: boolean;
  /** How many backups to keep in the folder, 1 or more. If left out, all. */
  readonly keep?: number;
  /** A file for the time of this backup, in the format of Prometheus. */
  readonly metric?: string;
  readonly json?: true;
}

const damaged = 'the database is damaged and was not backed up; "holdfast doctor" says what to do:';

/**
 * Copies the database to `path`, a file, or a folder for a file named after the time. The file appears complete or not at all. Then the
 * metric is written and the oldest backups of the folder are removed. Prints the contents of the backup. Throws `CommandFault` if the file
 * exists, if the copy (and therefore the database) is damaged, or if a step after the complete copy failed.
 */
export async function backupCommand(config: Config, path: string, options: BackupOptions): Promise<void> {
  requireEmbedded(config, 'holdfast backup');
  await requireDatabase(config);
  const takenAt = now();
  const destination = resolveBackupDestination(path, takenAt, options);
  const metric = options.metric === undefined ? undefined : requireMetricFile(options.metric);
  const secretKey = options.withSecretKey ? requireSecretKey(config) : null;
  const progress = createProgress();
  const draft = draftOf(destination.file);
  let inspection: Inspection | undefined;
  removeAbandoned(destination, takenAt);
  const stopRemoving = removeOnSignal(draft);
  try {
    progress.show('Copying');
    await copyDatabase(config.dataDir, draft, (share) => progress.show('Copying', share));
    inspection = options.verify ? inspectCopy(draft, progress, damaged) : undefined;
    writeLabel(draft, { takenAt, secretKey });
    publish(draft, destination.file, options.force ?? false);
  } finally {
    progress.end();
    stopRemoving();
    rmSync(draft, { force: true });
  }
  const { removed, faults } = followUp(destination, takenAt, options.keep, metric);
  print(
    {
      file: destination.file,
      bytes: statSync(destination.file).size,
      takenAt: new Date(takenAt).toISOString(),
      seconds: (now() - takenAt) / 1000,
      secretKey: secretKey ? 'included' : 'not_included',
      verified: inspection !== undefined,
      counts: inspection?.counts ?? null,
      removed,
    },
    options,
  );
  if (faults.length > 0) throw new CommandFault(...faults);
}

/** Writes the metric and removes backups that exceed `keep`. Returns failures, since the backup is complete, and runs the other step. */
function followUp(
  { file, folder }: BackupDestination,
  takenAt: number,
  keep: number | undefined,
  metric: string | undefined,
) {
  const removed: string[] = [];
  const faults: string[] = [];
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      faults.push(`the backup is complete, but then: ${error instanceof Error ? error.message : error}`);
    }
  };
  if (metric !== undefined) attempt(() => writeMetric(metric, takenAt));
  const oldest = folder === null || keep === undefined ? [] : oldestIn(folder, file, keep);
  for (const path of oldest) {
    attempt(() => {
      rmSync(path, { force: true });
      removed.push(path);
    });
  }
  return { removed, faults };
}

/**
 * Returns the contents of a copy. Throws `CommandFault` with `consequence` and a line for each fault. Wrong usage counts of accounts are
 * accepted: they are no reason to lose a backup.
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

function requireSecretKey(config: Config): Uint8Array {
  const secretKey = findSecretKey(config);
  if (secretKey) return secretKey;
  throw new CommandFault(`cannot include the secret key: there is none in ${config.dataDir} and SVC_SECRET_KEY is not set`);
}

/** Gives the draft its final name. A file that now exists under that name is kept unless `replace` is set. */
function publish(draft: string, target: string, replace: boolean): void {
  if (replace) renameSync(draft, target);
  else linkSync(draft, target);
  syncDirectory(dirname(target));
}

/** Removes the draft on Ctrl-C. Returns a function that cancels this. */
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
  /** Older backups that exceeded `keep`. */
  readonly removed: readonly string[];
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
    ...result.removed.map((path) => ['Removed', path]),
    ['Secret key', result.secretKey === 'included' ? 'included: anybody who has the file can sign tokens' : 'not included'],
  ]);
  if (result.secretKey === 'not_included') {
    process.stdout.write(
      'Keep the secret key elsewhere: without it, a restore signs everybody out (see holdfast restore --help).\n',
    );
  }
}

/** Rows with the record counts of a database. */
export function countRows(counts: Inspection['counts'] | null): string[][] {
  if (counts === null) return [];
  return [
    ['Accounts', formatCount(counts.accounts)],
    ['Projects', formatCount(counts.projects)],
    ['Versions', formatCount(counts.publicStateVersions)],
    ['User states', formatCount(counts.userStates)],
  ];
}
