/**
 * Imports one account into a store that others may be using. The account does not exist there until it is complete. Leftovers of a killed
 * import are removed (storage/transfer/kinds.ts).
 */
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import type { SecretKeys } from '../../secrets/secret-key.ts';
import { optionalIntegerAt } from '../../storage/rows/columns.ts';
import { type AccountTarget, type PublishedKind, publishedKinds } from '../../storage/transfer/account-import.ts';
import type { TransferReader } from '../../storage/transfer/copy.ts';
import { TakenId } from '../../storage/transfer/ids.ts';
import { type TransferKind, type TransferRecord, transferKindNames, transferKinds } from '../../storage/transfer/kinds.ts';
import { CommandFault } from '../fault.ts';
import { requireDatabase, withOperator } from '../operator.ts';
import type { Progress } from '../progress.ts';
import { findSecretKeys } from '../secret-key.ts';
import { locationOf, type StoreLocation } from '../store-location.ts';
import { type ImportFile, readKind } from './file.ts';
import { requireSame } from './verify.ts';

/** How many records one transaction writes. In the embedded database, all other writes wait for it. */
const recordsAtOnce = 250;
/** How often the import reports to the store that it continues, while it writes nothing. */
const renewalMilliseconds = 20_000;

type Published = Readonly<Record<PublishedKind, readonly TransferRecord[]>>;

/**
 * Imports the account of an export. Throws `CommandFault`, and leaves nothing behind, if there is no store, if the store already has the
 * account or a record that must be unique, or if the imported records differ from the export.
 */
export async function importAccount(
  config: Config,
  file: ImportFile,
  accountId: string,
  progress: Progress,
): Promise<void> {
  if (config.databaseUrl === undefined) await requireDatabase(config);
  const secretKeys = findSecretKeys(config);
  if (secretKeys === undefined) throw new CommandFault('the secret key is not known: set SVC_SECRET_KEY');
  await withOperator(config, async (store) => {
    const target = await openAccountTarget(locationOf(config), accountId);
    try {
      await begin(target, accountId, progress);
      try {
        const published = await bring(target, file, secretKeys, progress);
        await target.count();
        await verify(target, file, { secretKeys, progress, published });
        await target.publish(published);
        // Nodes drop what they may have cached of the account.
        await store.settleAccount(accountId, optionalIntegerAt(published.accounts[0] ?? {}, 'suspended_at'));
      } catch (error) {
        progress.show(`Removing what was written of ${accountId}`);
        await target.abandon().catch(() => undefined);
        throw error instanceof TakenId ? new CommandFault(error.message) : error;
      }
    } finally {
      await target.close();
    }
  });
}

async function openAccountTarget(location: StoreLocation, accountId: string): Promise<AccountTarget> {
  if (location.engine === 'postgres') {
    const { openPostgresAccountTarget } = await import('../../storage/postgres/transfer/account.ts');
    return openPostgresAccountTarget(location, accountId);
  }
  const { openSqliteAccountTarget } = await import('../../storage/sqlite/transfer/account.ts');
  return openSqliteAccountTarget(location.dataDir, accountId);
}

async function begin(target: AccountTarget, accountId: string, progress: Progress): Promise<void> {
  const removing = `Removing what ${accountId} has left, which was deleted or whose import was interrupted`;
  const begun = await target.begin(() => {
    progress.show(removing);
    process.stderr.write(process.stderr.isTTY ? '' : `${removing}\n`);
  });
  if (begun === 'exists') throw new CommandFault(`the account ${accountId} already exists`);
}

/** Writes all records except those that make the account visible, and returns these. */
async function bring(
  target: AccountTarget,
  file: ImportFile,
  secretKeys: SecretKeys,
  progress: Progress,
): Promise<Published> {
  const published: Record<PublishedKind, TransferRecord[]> = { accounts: [], developers: [], members: [] };
  for (const kind of transferKindNames) {
    progress.show(`Importing ${transferKinds[kind].title}`);
    for await (const { records } of readKind(file, kind, 0, { seal: file.seal, secretKeys })) {
      const kept = publishedKinds.find((each) => each === kind);
      if (kept !== undefined) {
        published[kept].push(...records);
        continue;
      }
      for (let from = 0; from < records.length; from += recordsAtOnce) {
        await written(kind, () => target.write(kind, records.slice(from, from + recordsAtOnce)));
      }
    }
  }
  return published;
}

/** The database's message about a write does not tell an operator what to do. */
async function written(kind: TransferKind, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new CommandFault(`${transferKinds[kind].title}: the store has one of them already, in another account`);
  }
}

/** Whether this is the error of SQLite or PostgreSQL for a duplicate key. */
function isTaken(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, errcode } = each as { readonly code?: unknown; readonly errcode?: unknown };
    if (code === '23505' || errcode === 1555 || errcode === 2067) return true;
  }
  return false;
}

/** Verifies the import, with the records that are not written yet. */
async function verify(
  target: AccountTarget,
  file: ImportFile,
  { secretKeys, progress, published }: { secretKeys: SecretKeys; progress: Progress; published: Published },
): Promise<void> {
  const reader: TransferReader = {
    estimate: (kind) => target.estimate(kind),
    read(kind, cursor) {
      const kept = publishedKinds.find((each) => each === kind);
      return kept === undefined ? target.read(kind, cursor) : once(published[kept]);
    },
  };
  let renewedAt = now();
  const onLine = async () => {
    if (now() < renewedAt + renewalMilliseconds) return;
    renewedAt = now();
    await target.renew();
  };
  await requireSame(reader, file, { secretKeys, progress, onLine, isShared: true });
}

async function* once(records: readonly TransferRecord[]) {
  if (records.length > 0) yield { records, cursor: '' };
}
