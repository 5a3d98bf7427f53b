/** `holdfast migrate-store`: copies a store from one engine to another. */
import type { Config } from '../../config/config.ts';
import { reasonOf, StoreUnavailable } from '../../storage/store.ts';
import type { TransferSource, TransferTarget } from '../../storage/transfer/copy.ts';
import { copiedKindNames } from '../../storage/transfer/kinds.ts';
import { CommandFault } from '../fault.ts';
import { shellWord } from '../files.ts';
import { printJson, printTable } from '../print.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { StoreLocation } from '../store-location.ts';
import { formatCount } from '../units.ts';
import { compareRecords, copyRecords, type KindSums } from './copy.ts';
import { checkSecretKey, type KeyCheck, openSource, openTarget, secretKeySetting } from './locations.ts';

export interface MigrateStoreOptions {
  readonly from: StoreLocation;
  readonly to: StoreLocation;
  readonly restart?: true;
  readonly json?: true;
}

interface Copied {
  readonly sums: KindSums;
  /** Records that an earlier run copied. */
  readonly resumedAt: number;
  readonly seconds: number;
  readonly keyCheck: KeyCheck;
}

/**
 * Copies the store `from` to `to`, continuing where an earlier run stopped, compares both, opens the copy for services, and prints its
 * settings. Throws `CommandFault` or an `Error` if either cannot be used or they differ; services then cannot open the copy.
 */
export async function migrateStoreCommand(
  config: Pick<Config, 'secretKey' | 'upgradeCopy'>,
  options: MigrateStoreOptions,
): Promise<void> {
  const { from, to } = options;
  if (from.name === to.name) throw new CommandFault(`--from and --to are both ${to.name}`);
  const begunAt = performance.now();
  const progress = createProgress();
  try {
    const source = await openSource(from, config.upgradeCopy === 'on');
    try {
      const keyCheck = await checkSecretKey(config, from, to, source);
      const target = await openTarget(to, source, options.restart ?? false);
      const sums = await copyInto(target, source, progress);
      const seconds = (performance.now() - begunAt) / 1000;
      progress.end();
      print(from, to, { sums, resumedAt: target.begun.records, seconds, keyCheck }, options);
    } finally {
      await source.close();
    }
  } finally {
    progress.end();
  }
}

async function copyInto(target: TransferTarget, source: TransferSource, progress: Progress): Promise<KindSums> {
  try {
    await copyRecords(source, target, progress);
    const sums = await compareRecords(source, target, progress);
    await source.requireUnused();
    await target.publish((share) => progress.show('Examining the copy', share));
    return sums;
  } catch (error) {
    throw error instanceof StoreUnavailable ? interrupted(error) : error;
  } finally {
    await target.close();
  }
}

function interrupted(fault: StoreUnavailable): CommandFault {
  return new CommandFault(
    `the copy was interrupted: ${reasonOf(fault)}`,
    'run the same command again when that is fixed: it continues where it stopped',
  );
}

const shown = [
  ['accounts', 'Accounts'],
  ['projects', 'Projects'],
  ['public_state_versions', 'Versions'],
  ['user_states', 'User states'],
  ['users', 'Users'],
] as const;

function print(
  from: StoreLocation,
  to: StoreLocation,
  { sums, resumedAt, seconds, keyCheck }: Copied,
  options: MigrateStoreOptions,
) {
  const records = copiedKindNames.reduce((sum, kind) => sum + sums[kind].records, 0);
  if (options.json) {
    const { key: secretKey, unopened } = keyCheck;
    printJson({
      from: from.name,
      to: to.name,
      records,
      resumedAt,
      seconds,
      verified: true,
      kinds: sums,
      secretKey,
      unopened,
    });
    return;
  }
  printTable([
    ['Copied', from.name],
    ['To', to.name],
    ...shown.map(([kind, title]) => [title, formatCount(sums[kind].records)]),
    [
      'Records',
      `${formatCount(records)} in total${resumedAt > 0 ? `, ${formatCount(resumedAt)} of them by earlier runs` : ''}`,
    ],
    ['Verified', 'yes: counts and checksums of every kind are the same on both sides'],
    ['Time', `${seconds.toFixed(1)} s`],
  ]);
  process.stdout.write(`\n${whatToDo(from, to, keyCheck).join('\n')}\n`);
}

/** The lines that say how to use the copy. */
function whatToDo(from: StoreLocation, to: StoreLocation, { key, unopened }: KeyCheck): string[] {
  const isMoving = to.engine === 'postgres';
  const place = isMoving
    ? `export SVC_DATABASE_URL=${shellWord(to.name)}${hasPassword(to) ? '   # with the password that --to was given' : ''}`
    : `unset SVC_DATABASE_URL; export SVC_DATA_DIR=${shellWord(to.name)}`;
  return [
    `Use the same secret key as before${isMoving ? ', on every node' : ''}:`,
    `  ${place}`,
    ...keyLines(to, key),
    ...(unopened > 0 ? [`The key does not open ${unopened} of the sealed secrets; it did not before either.`] : []),
    `Do not start anything on ${from.name} again: what is written there from now on is not in the copy.`,
  ];
}

const hasPassword = (place: StoreLocation): boolean => place.engine === 'postgres' && place.name !== place.url;

function keyLines(to: StoreLocation, key: string | null): string[] {
  if (key === null) return [`  export ${secretKeySetting}=…   # the one that the service has used until now`];
  if (key === secretKeySetting) return [`  ${secretKeySetting} as it is set now`];
  const isInPlace = to.engine === 'sqlite' && key.startsWith(to.dataDir);
  return isInPlace ? [] : [`  export ${secretKeySetting}="$(cat ${shellWord(key)})"`];
}
