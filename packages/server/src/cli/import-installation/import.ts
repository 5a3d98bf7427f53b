/** `holdfast import`: imports the lines of an export into a store. */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import type { TransferSource } from '../../storage/transfer/copy.ts';
import { CommandFault } from '../fault.ts';
import { replacePrivateFile } from '../files.ts';
import { copyRecords } from '../migrate-store/copy.ts';
import { openTarget } from '../migrate-store/locations.ts';
import { readPassphrase } from '../passphrase.ts';
import { printJson, printTable } from '../print.ts';
import { createProgress, type Progress } from '../progress.ts';
import { findSecretKey, secretKeyPath } from '../secret-key.ts';
import { locationOf } from '../store-location.ts';
import { formatCount } from '../units.ts';
import { importAccount } from './account.ts';
import { type ImportFile, openImportFile, readKind, withFile } from './file.ts';
import { exportedKeyOf, isSameRelease, requireSame } from './verify.ts';

export interface ImportOptions {
  readonly passphraseFile: string;
  readonly restart?: true;
  readonly trust?: true;
  readonly json?: true;
}

/**
 * Imports the export `file` (`-`: standard input) into the configured store: a whole installation into an empty one, an account into any.
 * Throws `CommandFault`, with nothing visible, if the export was changed or does not fit.
 */
export async function importCommand(config: Config, file: string, options: ImportOptions): Promise<void> {
  const passphrase = readPassphrase(options.passphraseFile);
  const progress = createProgress();
  try {
    await withFile(file, async (path) => {
      progress.show('Reading the export');
      const found = await openImportFile(path, passphrase, { trusts: options.trust ?? false });
      const { account } = found.header;
      if (account === null) await importAll(config, found, progress, options);
      else await importAccount(config, found, account, progress);
      progress.end();
      if (options.json)
        printJson({ account, records: found.records, sha256: found.sha256, verified: isSameRelease(found) });
      else
        printTable([
          ['Imported', account ?? 'the whole installation'],
          ['Records', formatCount(found.records)],
          [
            'Verified',
            isSameRelease(found)
              ? 'yes: an export of what is stored now has the same bytes'
              : 'counts: the export is of an earlier release',
          ],
        ]);
    });
  } finally {
    progress.end();
  }
}

async function importAll(config: Config, file: ImportFile, progress: Progress, options: ImportOptions): Promise<void> {
  const location = locationOf(config);
  const secretKey = keyFor(config, file);
  const source = sourceOf(file, secretKey);
  const target = await openTarget(location, source, options.restart ?? false);
  try {
    await copyRecords(source, target, progress);
    await requireSame(target, file, { secretKeys: [secretKey], progress, isShared: false });
    // The key is written before the store, so that no other is created.
    if (location.engine === 'sqlite' && config.secretKey === undefined && !existsSync(secretKeyPath(location.dataDir))) {
      replacePrivateFile(secretKeyPath(location.dataDir), `${Buffer.from(secretKey).toString('base64')}\n`);
    }
    await target.publish((share) => progress.show('Examining what was imported', share));
  } finally {
    await target.close();
  }
}

/** The key for the store: its own if it has one, otherwise that of the export. */
function keyFor(config: Config, file: ImportFile): Uint8Array {
  const own = findSecretKey(config);
  if (own !== undefined) return own;
  const exported = exportedKeyOf(file);
  if (exported === undefined || config.databaseUrl !== undefined) {
    throw new CommandFault('the secret key for the imported store is not known: set SVC_SECRET_KEY, on every node');
  }
  return exported;
}

function sourceOf(file: ImportFile, secretKey: Uint8Array): TransferSource {
  const change = { seal: file.seal, secretKeys: [secretKey] } as const;
  return {
    identity: file.sha256,
    estimate: async (kind) => file.parts[kind]?.records ?? 0,
    read: (kind, cursor) => readKind(file, kind, Number(cursor ?? 0), change),
    requireUnused: async () => undefined,
    close: async () => undefined,
  };
}
