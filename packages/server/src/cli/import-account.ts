/** Brings one account into a store that others may be using. The account is suspended until all of it is there. */
import { now } from '../common/clock.ts';
import type { Config } from '../config/config.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';
import { optionalIntegerAt } from '../storage/columns.ts';
import { type AccountTarget, type TransferRecord, transferKindNames, transferKinds } from '../storage/transfer.ts';
import { CommandFault } from './fault.ts';
import { type ImportFile, readKind } from './import-file.ts';
import { demandSame } from './import-verify.ts';
import { withOperator } from './operator.ts';
import type { Progress } from './progress.ts';
import { findSecretKeys } from './secret-key.ts';
import { locationOf, type StoreLocation } from './store-location.ts';

/** How many records one transaction writes: all other writes wait for it. */
const recordsAtOnce = 250;

/**
 * Imports the account of an export. Throws `CommandFault` when the store has an account of this id, and when what came is not what the
 * export holds; then the account is deleted again.
 */
export async function importAccount(
  config: Config,
  file: ImportFile,
  accountId: string,
  progress: Progress,
): Promise<void> {
  await withOperator(config, async (store) => {
    if ((await store.findAccount(accountId)) !== undefined) {
      throw new CommandFault(
        `there is an account ${accountId} already`,
        `if an earlier import was killed, remove what it has left: holdfast account delete ${accountId} --yes`,
      );
    }
    const secretKeys = findSecretKeys(config);
    if (secretKeys === undefined) throw new CommandFault('the secret key is not known: set SVC_SECRET_KEY');
    const target = await openAccountTarget(locationOf(config), accountId);
    try {
      const suspendedAt = await bring(target, file, secretKeys, progress);
      await target.count();
      const asExported = (record: TransferRecord) => ({ ...record, suspended_at: suspendedAt });
      await demandSame(target, file, secretKeys, progress, (kind, record) =>
        kind === 'accounts' ? asExported(record) : record,
      );
      await store.settleAccount(accountId, suspendedAt);
    } catch (error) {
      await store.deleteAccount(accountId);
      throw error;
    } finally {
      await target.close();
    }
  });
}

async function openAccountTarget(location: StoreLocation, accountId: string): Promise<AccountTarget> {
  if (location.engine === 'postgres') {
    const { openPostgresAccountTarget } = await import('../storage/postgres/transfer/account.ts');
    return openPostgresAccountTarget(location, accountId);
  }
  const { openSqliteAccountTarget } = await import('../storage/sqlite/transfer/account.ts');
  return openSqliteAccountTarget(location.dataDir, accountId);
}

/** Writes all records, and returns since when the account has been suspended in the store that it comes from. */
async function bring(
  target: AccountTarget,
  file: ImportFile,
  secretKeys: SecretKeys,
  progress: Progress,
): Promise<number | null> {
  let suspendedAt: number | null = null;
  for (const kind of transferKindNames) {
    progress.show(`Importing ${transferKinds[kind].title}`);
    for await (const { records } of readKind(file, kind, 0, { seal: file.seal, secretKeys })) {
      if (kind === 'accounts') suspendedAt = optionalIntegerAt(records[0] ?? {}, 'suspended_at');
      const written =
        kind === 'accounts'
          ? records.map((record) => ({ ...record, suspended_at: record.suspended_at ?? now() }))
          : records;
      for (let begin = 0; begin < written.length; begin += recordsAtOnce) {
        await target.write(kind, written.slice(begin, begin + recordsAtOnce));
      }
    }
  }
  return suspendedAt;
}
