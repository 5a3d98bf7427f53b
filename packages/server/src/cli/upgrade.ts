/** `holdfast upgrade`: shows what a start of this release would do to the data, and finishes an upgrade of several nodes. */
import { programVersion } from '../common/program/version.ts';
import type { Config } from '../config/config.ts';
import { requireMatchingKey } from '../secrets/matching-key.ts';
import { SealFault } from '../secrets/secret-key.ts';
import type { SigningKeyRecord } from '../storage/contract/sign-ins.ts';
import { newestRelease } from '../storage/sql/schema/releases.ts';
import { type UpgradePreview, upgradeSeconds } from '../storage/sql/schema/upgrade-preview.ts';
import { CommandFault } from './fault.ts';
import { requireDatabase } from './operator.ts';
import { printJson, printTable } from './print.ts';
import { findSecretKeys } from './secret-key.ts';
import { formatBytes, formatCount } from './units.ts';

export interface UpgradeOptions {
  readonly check?: true;
  readonly finish?: true;
  readonly json?: true;
}

/**
 * Checks, or finishes. Throws `CommandFault` if the upgrade cannot be finished now. The exit status of a check is 1 if a start would refuse
 * the database.
 */
export async function upgradeCommand(config: Config, options: UpgradeOptions): Promise<void> {
  if (options.finish) return finish(config, options);
  if (config.databaseUrl === undefined) await requireDatabase(config);
  const found =
    config.databaseUrl === undefined ? await checkEmbedded(config) : await checkPostgres(config, config.databaseUrl);
  if (found.refusal !== null) process.exitCode = 1;
  if (options.json) printJson(found);
  else printTable(rowsOf(found));
}

/** The result of a check. */
interface Check {
  readonly place: string;
  /** The release that wrote the database in its current form, if recorded, and its newest migration. */
  readonly madeBy: string | null;
  readonly migration: number;
  readonly program: string;
  /** The unreleased version of this program, named by its newest migration; null for a release. */
  readonly next: string | null;
  /** The migrations that a start would apply. */
  readonly pending: readonly number[];
  readonly seconds: number;
  /** The size of a copy, and the free space for it; null if no copy is made. */
  readonly copy: { readonly bytes: number; readonly freeBytes: number } | null;
  /** The total size of the upgrade, including the log; null if nothing changes, and over PostgreSQL, which does not report free space. */
  readonly disk: { readonly bytes: number; readonly freeBytes: number } | null;
  /** Why a start would refuse; null if it would not. */
  readonly refusal: string | null;
  /** The migrations of an unfinished upgrade. */
  readonly unfinished: readonly number[];
  /** Accounts whose players a search does not yet find by every word. */
  readonly unsearchedAccounts: number;
}

const isLater = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true }) > 0;

const nextRelease = (): string | null => (isLater(newestRelease, programVersion()) ? newestRelease : null);

const common = (preview: UpgradePreview) => ({
  madeBy: preview.madeBy,
  migration: preview.migration,
  program: programVersion(),
  next: nextRelease(),
  pending: preview.pending.map(({ number }) => number),
});

async function checkEmbedded(config: Config): Promise<Check> {
  const { dataDir, upgradeCopy } = config;
  const { databasePath } = await import('../storage/sqlite/directory/database.ts');
  const { previewSqliteUpgrade } = await import('../storage/sqlite/inspect/upgrade.ts');
  const { missingRoom } = await import('../storage/sqlite/directory/room.ts');
  const preview = previewSqliteUpgrade(dataDir, upgradeCopy === 'on');
  const { pending, room, readBytesPerSecond } = preview;
  const { copyBytes: bytes, logBytes, freeBytes } = room;
  const isPending = pending.length > 0;
  const copy = isPending && upgradeCopy === 'on' ? { bytes, freeBytes } : null;
  const seconds = upgradeSeconds(pending, preview.indexedRows, copy ? { bytes, readBytesPerSecond } : undefined);
  return {
    place: databasePath(dataDir),
    ...common(preview),
    seconds,
    copy,
    disk: isPending ? { bytes: bytes + logBytes, freeBytes } : null,
    refusal: preview.refusal ?? keyRefusal(config, preview.signingKeys) ?? (isPending ? (missingRoom(room) ?? null) : null),
    unfinished: [],
    unsearchedAccounts: preview.wordless,
  };
}

async function checkPostgres(config: Config, url: string): Promise<Check> {
  const { previewPostgresUpgrade } = await import('../storage/postgres/inspect/upgrade.ts');
  const preview = await previewPostgresUpgrade(url);
  const seconds = upgradeSeconds(preview.pending, preview.indexedRows);
  const { unfinished, signingKeys } = preview;
  const refusal = preview.refusal ?? keyRefusal(config, signingKeys);
  const place = 'the database of SVC_DATABASE_URL';
  return {
    place,
    ...common(preview),
    seconds,
    copy: null,
    disk: null,
    refusal,
    unfinished,
    unsearchedAccounts: preview.wordless,
  };
}

/** Why a start would refuse the secret key; null if it would not. A start creates a missing one, which opens nothing. */
function keyRefusal(config: Config, signingKeys: readonly SigningKeyRecord[]): string | null {
  try {
    requireMatchingKey(findSecretKeys(config), signingKeys);
    return null;
  } catch (error) {
    return error instanceof SealFault
      ? `the secret key does not fit the database: ${error.message}`
      : String((error as Error).message);
  }
}

function rowsOf({
  place,
  madeBy,
  migration,
  program,
  next,
  pending,
  seconds,
  copy,
  disk,
  refusal,
  unfinished,
  unsearchedAccounts,
}: Check): string[][] {
  const has =
    migration === 0
      ? 'nothing yet'
      : `migration ${migration}${madeBy === null ? '' : `, which came with Holdfast ${madeBy}`}`;
  return [
    ['Database', place],
    ['It has', has],
    ['This program', next === null ? `Holdfast ${program}` : `Holdfast ${program}, on the way to ${next}`],
    ['A start', refusal === null ? startSentence(migration, pending, copy !== null) : `would refuse it: ${refusal}`],
    ...(pending.length > 0 ? [['Takes', `about ${seconds} s`]] : []),
    ...(disk ? [['Needs', `up to ${formatBytes(disk.bytes)} of disk; ${formatBytes(disk.freeBytes)} are free`]] : []),
    ...(unfinished.length > 0 ? [['Unfinished', finishSentence]] : []),
    ...(unsearchedAccounts > 0 ? [['Player search', searchSentence(unsearchedAccounts, unfinished.length > 0)]] : []),
  ];
}

function startSentence(migration: number, pending: readonly number[], isCopied: boolean): string {
  if (pending.length === 0) return 'would change nothing';
  const applied = `apply ${pending.length === 1 ? 'migration' : 'migrations'} ${pending.join(', ')}`;
  if (migration === 0) return 'would make the database';
  return isCopied ? `would copy the database, then ${applied}` : `would ${applied}`;
}

function searchSentence(accounts: number, isUnfinished: boolean): string {
  const when = isUnfinished ? 'once the upgrade is finished' : 'while it runs';
  return `does not yet find the players of ${formatCount(accounts)} ${accounts === 1 ? 'account' : 'accounts'} by every word; the service adds the words ${when}`;
}

const finishSentence =
  'once the last node of the older release is replaced, run "holdfast upgrade --finish"; until then, requests that restrict access are refused';

async function finish({ databaseUrl }: Config, { json }: UpgradeOptions): Promise<void> {
  const outcome = await finishOf(databaseUrl);
  if (outcome.kind === 'not_begun') {
    throw new CommandFault('there is nothing to finish: no node of this release has started on the database yet');
  }
  if (outcome.kind === 'older_nodes') {
    throw new CommandFault(
      `cannot finish: nodes of an older release are connected (${outcome.connections} connections); replace them first`,
    );
  }
  const migrations = outcome.kind === 'finished' ? outcome.migrations : [];
  if (json) printJson({ finished: true, migrations });
  else process.stdout.write(migrations.length > 0 ? 'The upgrade is finished.\n' : 'There is nothing to finish.\n');
}

/** The embedded engine runs one program at a time, so nothing is ever left to finish. */
async function finishOf(databaseUrl: string | undefined) {
  if (databaseUrl === undefined) return { kind: 'already_finished' } as const;
  const { finishPostgresUpgrade } = await import('../storage/postgres/inspect/upgrade.ts');
  return finishPostgresUpgrade(databaseUrl);
}
