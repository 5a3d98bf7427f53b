/** `holdfast recovered`: repairs a store that was set back by other means than `holdfast restore`. */
import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { loadOrCreateSecretKeys } from '../../secrets/secret-key.ts';
import type { RaisedFloor } from '../../storage/contract/installation.ts';
import { versionsAheadDefault } from '../../storage/history/version-floors.ts';
import { openStoreForCommand } from '../../wiring/engine.ts';
import { CommandFault } from '../fault.ts';
import { byCommand, requireDatabase } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { type AuditFile, type Repeated, readAuditFile, repeatAudit } from './repeat-audit.ts';

/** Shared by `restore` and `recovered`. */
export interface RecoveryOptions {
  readonly versionsAhead?: number;
  /** A file of audit lines. */
  readonly audit?: string;
  readonly json?: true;
}

/** By then, running nodes have read a command's changes. */
const knownMilliseconds = 2_500;

/**
 * Raises the floor of versions, ends sessions and tokens from before, repeats the records of `audit`, and prints the result. Throws
 * `CommandFault` if a service runs on the embedded engine, if nodes of an earlier release may run on PostgreSQL, or if versions would get
 * too large.
 */
export async function recoveredCommand(config: Config, options: RecoveryOptions): Promise<void> {
  const file = await readAudit(options);
  const versionFloor =
    config.databaseUrl === undefined ? await recoverEmbedded(config, options) : await recoverShared(config, options);
  const repeated = await repeatWith(config, file);
  const result = { versionFloor, sessions: 'ended', repeated };
  if (options.json) return printJson(result);
  printTable(recoveryRows(versionFloor, repeated));
}

/** Reads the file of `--audit`, before anything is changed. */
export const readAudit = async ({ audit }: RecoveryOptions): Promise<AuditFile | undefined> =>
  audit === undefined ? undefined : readAuditFile(audit);

/** Returns by how much `options` raise the floor. */
export const aheadOf = ({ versionsAhead = versionsAheadDefault }: RecoveryOptions): number => versionsAhead;

/** Throws `CommandFault` if the floor could not be raised. */
export function requireFloor(floor: RaisedFloor): number {
  if (floor !== undefined) return floor;
  throw new CommandFault(
    'versions would be larger than 2^53 − 1, which clients cannot represent exactly: use a smaller --versions-ahead',
  );
}

async function recoverEmbedded(config: Config, options: RecoveryOptions): Promise<number> {
  const { dataDir } = config;
  await requireDatabase(config);
  const { databasePath } = await import('../../storage/sqlite/directory/database.ts');
  const { lockDirectory } = await import('../../storage/sqlite/directory/lock.ts');
  const { updateSchema } = await import('../../storage/sqlite/directory/startup.ts');
  const { recoverDatabase, replacedIn } = await import('../../storage/sqlite/directory/recovery.ts');
  const { writeMark } = await import('../../storage/sqlite/directory/mark.ts');
  const lock = lockDirectory(dataDir);
  if (lock === undefined) throw new CommandFault(`a service is running in ${dataDir}; stop it first`);
  try {
    await updateSchema(dataDir, lock, { keepsCopy: config.upgradeCopy === 'on' });
    const { highest: known, beat } = replacedIn(dataDir);
    const back = { known, ahead: aheadOf(options), now: now() };
    const mark = recoverDatabase(databasePath(dataDir), back, beat, false);
    const versionFloor = requireFloor(mark?.versionFloor);
    if (mark !== undefined) writeMark(dataDir, mark);
    return versionFloor;
  } finally {
    lock.release();
  }
}

/** The migration that introduces the floor. A program that does not know it would reuse versions. */
const marksMigration = 20;

async function recoverShared(config: Config, options: RecoveryOptions): Promise<number> {
  const store = await openStoreForCommand(config);
  try {
    if (!(await store.isUpgradeFinished(marksMigration))) {
      throw new CommandFault(
        'nodes of an earlier release would use versions twice: stop them, run "holdfast upgrade --finish", and then this again',
      );
    }
    const known = store.marks().versionFloor;
    const floor = requireFloor(await store.recover({ known, ahead: aheadOf(options), now: now() }));
    await delay(knownMilliseconds);
    return floor;
  } finally {
    await store.close();
  }
}

/** Repeats the records of the file on the configured store. Null: there is no file. */
export async function repeatWith(config: Config, file: AuditFile | undefined): Promise<Repeated | null> {
  if (file === undefined) return null;
  const secretKeys = loadOrCreateSecretKeys(config);
  const store = await openStoreForCommand(config);
  try {
    return await repeatAudit(file, { store, secretKeys, by: byCommand, now });
  } finally {
    await store.close();
  }
}

/** The rows that report the changes. */
export function recoveryRows(versionFloor: number, repeated: Repeated | null): string[][] {
  const done =
    repeated &&
    `${repeated.revoked} revocations, ${repeated.removed} removals, ${repeated.blocked} blocks, ${repeated.erased} erasures; ${repeated.skipped} did not apply`;
  return [
    ['Versions', `continue from ${versionFloor}`],
    ['Sessions', 'ended, with tokens, codes and open invitations; API keys and secrets of service accounts stay'],
    ...(done === null ? [] : [['Repeated', done]]),
  ];
}
