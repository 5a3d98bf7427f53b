/** `holdfast restore`: puts a backup into a data folder. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureOwnedFolder } from '../../common/files/owned-files.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { syncDirectory } from '../../secrets/secret-key.ts';
import {
  type BackupLabel,
  copyBackup,
  openBackup,
  requireBackup,
  takeLabel,
} from '../../storage/sqlite/directory/backup.ts';
import { databasePath } from '../../storage/sqlite/directory/database.ts';
import { lockDirectory } from '../../storage/sqlite/directory/lock.ts';
import { writeMark } from '../../storage/sqlite/directory/mark.ts';
import { recoverDatabase, replacedIn } from '../../storage/sqlite/directory/recovery.ts';
import { holdsDatabase, placeDatabase, replaceDatabase } from '../../storage/sqlite/directory/restore.ts';
import type { Inspection } from '../../storage/sqlite/inspect/inspect.ts';
import { CommandFault } from '../fault.ts';
import { replacePrivateFile } from '../files.ts';
import { requireEmbedded } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { createProgress } from '../progress.ts';
import { findSecretKeys, readSealed, secretKeyPath, secretsTried, unopened } from '../secret-key.ts';
import { formatBytes } from '../units.ts';
import { countRows, inspectCopy } from './backup.ts';
import { aheadOf, type RecoveryOptions, readAudit, recoveryRows, repeatWith, requireFloor } from './recovered.ts';
import type { Repeated } from './repeat-audit.ts';

export interface RestoreOptions extends RecoveryOptions {
  readonly force?: true;
}

/** The state of the secret key: now written, present and right, present and wrong, or missing. */
type SecretKeyState = 'restored' | 'fits' | 'does_not_fit' | 'missing';

interface RestoreResult {
  readonly dataDir: string;
  readonly file: string;
  readonly bytes: number;
  /** Null for a database that `holdfast backup` did not write. */
  readonly takenAt: string | null;
  readonly counts: Inspection['counts'];
  readonly secretKey: SecretKeyState;
  /** The new name of the replaced database. */
  readonly replaced: string | null;
  /** Versions below it are not used. */
  readonly versionFloor: number;
  /** Null without `audit`. */
  readonly repeated: Repeated | null;
}

/**
 * Puts the database in `file` into the data folder after it has passed every check, with a higher floor of versions and without its
 * sessions, repeats the records of `audit`, and prints the contents. Throws `CommandFault`, without changes, if a service runs there, if
 * there is a database and `force` is not set, if the backup is damaged, or if its secret key differs from the folder's.
 */
export async function restoreCommand(config: Config, file: string, options: RestoreOptions): Promise<void> {
  requireEmbedded(config, 'holdfast restore');
  const source = resolve(file);
  if (!existsSync(source)) throw new CommandFault(`cannot restore ${source}: the file does not exist`);
  requireBackup(source);
  const { dataDir } = config;
  if (holdsDatabase(dataDir) && !options.force) throw alreadyThere(dataDir);
  const audit = await readAudit(options);
  ensureOwnedFolder(dataDir);
  const lock = lockDirectory(dataDir);
  if (lock === undefined)
    throw new CommandFault(`cannot restore into ${dataDir}: a service is running there; stop it first`);
  try {
    const restored = await restoreInto(config, source, options);
    print({ ...restored, repeated: await repeatWith(config, audit) }, options);
  } finally {
    lock.release();
  }
}

/** The caller holds the lock of the folder. */
async function restoreInto(
  config: Config,
  file: string,
  options: RestoreOptions,
): Promise<Omit<RestoreResult, 'repeated'>> {
  const { dataDir } = config;
  const draft = `${databasePath(dataDir)}.restoring`;
  const progress = createProgress();
  for (const path of [draft, `${draft}-journal`]) rmSync(path, { force: true });
  try {
    progress.show('Copying');
    await copyBackup(file, draft, (share) => progress.show('Copying', share));
    const label = takeLabel(draft);
    const { counts } = inspectCopy(draft, progress, `${file} is damaged and was not restored:`);
    const secretKey = settleSecretKey(config, draft, label);
    const { highest: known, beat } = replacedIn(dataDir);
    const mark = recoverDatabase(draft, { known, ahead: aheadOf(options), now: now() }, beat, true);
    const versionFloor = requireFloor(mark?.versionFloor);
    const replaced = install(dataDir, draft, options.force ?? false);
    if (mark !== undefined) writeMark(dataDir, mark);
    const takenAt = label ? new Date(label.takenAt).toISOString() : null;
    return {
      dataDir,
      file,
      bytes: statSync(databasePath(dataDir)).size,
      takenAt,
      counts,
      secretKey,
      replaced,
      versionFloor,
    };
  } finally {
    progress.end();
    rmSync(draft, { force: true });
  }
}

/**
 * Writes the secret key of the backup into a folder without one. It is written before the database, since a key alone does no harm. Throws
 * `CommandFault` if the two have different keys: only the operator knows which is still needed.
 */
function settleSecretKey(config: Config, draft: string, label: BackupLabel | undefined): SecretKeyState {
  const present = findSecretKeys(config);
  const carried = label?.secretKey ?? undefined;
  if (carried && present && !present.some((key) => Buffer.from(carried).equals(key))) {
    const where = config.secretKey ? 'SVC_SECRET_KEY' : secretKeyPath(config.dataDir);
    throw new CommandFault(`cannot restore: ${where} is not the key of the backup; move it away first`);
  }
  if (carried && !present) {
    replacePrivateFile(secretKeyPath(config.dataDir), `${Buffer.from(carried).toString('base64')}\n`);
    return 'restored';
  }
  if (!present) return 'missing';
  const database = openBackup(draft);
  try {
    return unopened(readSealed(database, secretsTried), present).length === 0 ? 'fits' : 'does_not_fit';
  } finally {
    database.close();
  }
}

/** Returns the new name of the replaced database, or null. */
function install(dataDir: string, draft: string, force: boolean): string | null {
  const aside = `${databasePath(dataDir)}.replaced-${new Date(now()).toISOString().replaceAll(/[-:.]/g, '')}`;
  try {
    const isReplaced = force && holdsDatabase(dataDir);
    if (isReplaced) replaceDatabase(dataDir, draft, aside);
    else placeDatabase(dataDir, draft);
    syncDirectory(dataDir);
    return isReplaced ? aside : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(dataDir);
    throw error;
  }
}

const alreadyThere = (dataDir: string) =>
  new CommandFault(`cannot restore into ${dataDir}: it has a database; --force keeps that under another name`);

const withoutKey = 'put the key of the backup there, or set the secrets of identity providers again';

const keySentences: Readonly<Record<SecretKeyState, string>> = {
  restored: 'restored',
  fits: 'fits',
  does_not_fit: `does not fit: ${withoutKey}`,
  missing: `missing: ${withoutKey}`,
};

const warnings = `
The data is as it was then. What was deleted or revoked since, such as API keys and players, is there again:
"holdfast recovered --audit FILE" repeats that from the audit trail. Players and developers sign in again.
`;

function print(result: RestoreResult, { json }: RestoreOptions): void {
  if (json) {
    printJson(result);
    return;
  }
  printTable([
    ['Restored', result.dataDir],
    ['From', result.file],
    ['Taken', result.takenAt ?? 'unknown'],
    ['Size', formatBytes(result.bytes)],
    ...countRows(result.counts),
    ['Secret key', keySentences[result.secretKey]],
    ...(result.replaced ? [['Replaced', `kept as ${result.replaced}`]] : []),
    ...recoveryRows(result.versionFloor, result.repeated),
  ]);
  process.stdout.write(warnings);
}
