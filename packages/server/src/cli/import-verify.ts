/** Whether what was imported is what the export holds. */
import type { SecretKeys } from '../secrets/secret-key.ts';
import { newestMigration } from '../storage/cold/releases.ts';
import type { TransferReader } from '../storage/transfer.ts';
import { type ExportOptions, writeExport } from './export-write.ts';
import { CommandFault } from './fault.ts';
import type { ImportFile } from './import-file.ts';
import type { Progress } from './progress.ts';

/** Whether an export has the fields that this release writes. */
export const isSameRelease = ({ header }: ImportFile): boolean => header.migration === newestMigration;

/** The secret key of the installation that was exported; undefined in the export of an account. */
export const exportedKeyOf = ({ header, seal }: ImportFile): Uint8Array | undefined =>
  header.secretKey === null ? undefined : seal.open(header.secretKey, 'secret key');

/**
 * Exports what is stored now, and throws `CommandFault` unless that has the bytes of the file; of an earlier release only the counts are
 * compared. `change` undoes what the import has changed on purpose.
 */
export async function demandSame(
  reader: TransferReader,
  file: ImportFile,
  secretKeys: SecretKeys,
  progress: Progress,
  change?: ExportOptions['change'],
): Promise<void> {
  const again = await writeExport(reader, {
    account: file.header.account,
    seal: file.seal,
    secretKeys,
    exportedKey: exportedKeyOf(file),
    write: () => undefined,
    progress,
    ...(change && { change }),
  });
  const isSame = isSameRelease(file) ? again.sha256 === file.sha256 : again.records === file.records;
  if (!isSame) throw new CommandFault('what was imported is not what the export holds, and cannot be used');
}
