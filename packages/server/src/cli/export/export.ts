/** `holdfast export`: an installation, or an account, as lines of JSON. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { accountIdPattern } from '@holdfast/contract';
import { createOwnedFile } from '../../common/files/owned-files.ts';
import type { Config } from '../../config/config.ts';
import type { TransferReader } from '../../storage/transfer/copy.ts';
import { CommandFault } from '../fault.ts';
import { requireDatabase } from '../operator.ts';
import { readPassphrase } from '../passphrase.ts';
import { printJson, printTable } from '../print.ts';
import { createProgress } from '../progress.ts';
import { findSecretKeys } from '../secret-key.ts';
import { locationOf, type StoreLocation } from '../store-location.ts';
import { formatBytes, formatCount } from '../units.ts';
import { createExportSeal, saltOf } from './seal.ts';
import { type Exported, writeExport } from './write.ts';

export interface ExportOptions {
  readonly account?: string;
  readonly passphraseFile: string;
  readonly force?: true;
  readonly json?: true;
}

/**
 * Writes an export to standard output (`-`) or to `file`, which appears complete or not at all. Services may run. Throws `CommandFault` if
 * the file exists, there is no such account, or the secret key is not known.
 */
export async function exportCommand(config: Config, file: string, options: ExportOptions): Promise<void> {
  const { account = null } = options;
  if (account !== null && !accountIdPattern.test(account)) throw noAccount(account);
  const isStream = file === '-';
  const target = resolve(file);
  if (!isStream && existsSync(target) && options.force !== true) {
    throw new CommandFault(`${file} already exists: name another file, or add --force`);
  }
  if (config.databaseUrl === undefined) await requireDatabase(config);
  const secretKeys = findSecretKeys(config);
  if (secretKeys === undefined) throw new CommandFault('the secret key is not known: set SVC_SECRET_KEY');
  const passphrase = readPassphrase(options.passphraseFile);
  const draft = `${target}.${process.pid}.partial`;
  const output = isStream ? process.stdout : createWriteStream(draft, { fd: createOwnedFile(draft), flush: true });
  let failure: Error | undefined;
  output.on('error', (error) => {
    failure = error;
  });
  const progress = createProgress();
  const unopened: string[] = [];
  try {
    const exported = await withSnapshot(locationOf(config), async (reader, installation) => {
      const salt = account === null ? keyedSalt(installation) : saltOf(account);
      return writeExport(await requireAccount(reader, account), {
        account,
        secretKeys,
        seal: createExportSeal(passphrase, salt),
        onUnopened: (label) => unopened.push(label),
        progress,
        write: async (line) => {
          if (failure !== undefined) throw failure;
          if (!output.write(`${line}\n`)) await once(output, 'drain');
        },
      });
    });
    progress.end();
    if (!isStream) {
      output.end();
      await once(output, 'close');
      renameSync(draft, target);
    }
    if (!isStream) report(target, account, exported, unopened, options);
  } finally {
    progress.end();
    if (!isStream) rmSync(draft, { force: true });
  }
}

/** A salt that is constant for the installation and reveals nothing about its secret. */
const keyedSalt = (installation: Uint8Array): string =>
  saltOf(createHmac('sha256', installation).update('holdfast export').digest('hex'));

/** Calls `work` with a reader of a consistent snapshot, and the secret of the installation. */
export async function withSnapshot<Result>(
  location: StoreLocation,
  work: (reader: TransferReader, installation: Uint8Array) => Promise<Result>,
): Promise<Result> {
  if (location.engine === 'postgres') {
    const { withPostgresSnapshot } = await import('../../storage/postgres/transfer/snapshot.ts');
    return withPostgresSnapshot(location, work);
  }
  const { withSqliteSnapshot } = await import('../../storage/sqlite/transfer/snapshot.ts');
  return withSqliteSnapshot(location.dataDir, work);
}

const noAccount = (account: string) => new CommandFault(`there is no account ${JSON.stringify(account)}`);

async function requireAccount(reader: TransferReader, account: string | null): Promise<TransferReader> {
  if (account === null) return reader;
  for await (const { records } of reader.read('accounts', null)) {
    if (records.some((record) => record.account_id === account)) return reader;
  }
  throw noAccount(account);
}

function report(
  file: string,
  account: string | null,
  { records, sha256, kinds }: Exported,
  unopened: readonly string[],
  { json }: ExportOptions,
): void {
  const bytes = statSync(file).size;
  if (json) printJson({ file, account, records, bytes, sha256, unopened: unopened.length, kinds });
  else
    printTable([
      ['Exported', account ?? 'the whole installation'],
      ['File', `${file} (${formatBytes(bytes)})`],
      ['Records', formatCount(records)],
      ...(unopened.length > 0 ? [['Not opened', `${formatCount(unopened.length)} sealed values, as they are`]] : []),
    ]);
}
