/**
 * The destination of backups: a file named by the operator, or a folder, where each backup is named after its time. In that folder, only
 * files with such names are ever removed.
 */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { dayMilliseconds } from '../../common/time/durations.ts';
import { CommandFault } from '../fault.ts';

export interface BackupDestination {
  /** The file of the backup. */
  readonly file: string;
  /** The folder that the operator named; null if it was a file. */
  readonly folder: string | null;
}

/** Returns the name of a backup in a folder, for example `holdfast-20261126T161500Z.sqlite`. */
function nameAt(takenAt: number): string {
  const time = new Date(takenAt).toISOString();
  return `holdfast-${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z.sqlite`;
}

/** Returns when a backup was taken, in milliseconds since the epoch, from its name in a folder; undefined for any other name. */
function timeIn(name: string): number | undefined {
  const parts = /^holdfast-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/.exec(name)?.slice(1);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Not all digits are a valid time: there is no 30th of February.
  return !Number.isNaN(time) && nameAt(time) === name ? time : undefined;
}

/**
 * Returns the destination of a backup taken at `takenAt`. Throws `CommandFault` for what would fail at the end: the folder does not exist,
 * the file exists and `force` is not set, or `keep` is set without a folder.
 */
export function resolveBackupDestination(
  path: string,
  takenAt: number,
  { force, keep }: { readonly force?: true; readonly keep?: number },
): BackupDestination {
  if (path === '') throw new CommandFault('the name of the file or folder is empty');
  const target = resolve(path);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder && keep !== undefined) throw new CommandFault(`--keep needs a folder, and ${target} is not a folder`);
  if (!isFolder && path.endsWith(sep)) throw new CommandFault(`cannot write ${target}: there is no folder ${target}`);
  const file = isFolder ? join(target, nameAt(takenAt)) : target;
  if (!existsSync(dirname(file))) throw new CommandFault(`cannot write ${file}: there is no folder ${dirname(file)}`);
  if (existsSync(file) && !force) throw new CommandFault(`cannot write ${file}: the file exists; --force replaces it`);
  if (existsSync(file) && !statSync(file).isFile()) throw new CommandFault(`cannot write ${file}: it is not a file`);
  return { file, folder: isFolder ? target : null };
}

/** Returns the draft name of a backup that this process writes. */
export const draftOf = (file: string): string => `${file}.${process.pid}.partial`;

/**
 * Removes drafts of processes that no longer run. In a folder, drafts of other backups are removed if they are a day old: another machine
 * may be writing there.
 */
export function removeAbandoned({ file, folder }: BackupDestination, takenAt: number): void {
  for (const name of filesIn(dirname(file))) {
    const [ending, pid] = /\.(\d+)\.partial(?:-journal)?$/.exec(name) ?? [];
    if (ending === undefined || isAlive(Number(pid))) continue;
    const backup = name.slice(0, -ending.length);
    const isOld = folder !== null && takenAt - (timeIn(backup) ?? takenAt) > dayMilliseconds;
    if (backup === basename(file) || isOld) rmSync(join(dirname(file), name), { force: true });
  }
}

/**
 * Returns the backups to remove from a folder so that `keep` are left: the oldest by name. `newest` always stays, even if the clock was set
 * back.
 */
export function oldestIn(folder: string, newest: string, keep: number): string[] {
  const others = filesIn(folder).filter((name) => timeIn(name) !== undefined && name !== basename(newest));
  return others
    .sort()
    .slice(0, Math.max(0, others.length - (keep - 1)))
    .map((name) => join(folder, name));
}

/** The names of plain files in a folder, without links and folders. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
