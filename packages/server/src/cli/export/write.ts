/** Writes the lines of an export: all records of a store, or those of one account. */
import { createHash } from 'node:crypto';
import { newestMigration } from '../../storage/sql/schema/releases.ts';
import type { TransferReader } from '../../storage/transfer/copy.ts';
import { type TransferKind, type TransferRecord, transferKindNames, transferKinds } from '../../storage/transfer/kinds.ts';
import type { Progress } from '../progress.ts';
import { type ExportEnd, type ExportHeader, exportFormat, lineOf, type SecretChange } from './lines.ts';
import { keysFor, LineSorter } from './order.ts';

/** Sealed to recognize a wrong passphrase. */
export const checkText = Buffer.from('holdfast export');

export interface ExportScope {
  /** Null for the whole installation. */
  readonly account: string | null;
}

export interface Exported {
  readonly records: number;
  /** Hash of all lines but the last, in hexadecimal. */
  readonly sha256: string;
  readonly kinds: Readonly<Partial<Record<TransferKind, number>>>;
}

/**
 * Whether a record is in the scope of an export. Developers belong to the installation: their sessions stay there, so importing an account
 * steals nobody's session.
 */
export function isInScope({ account }: ExportScope, kind: TransferKind, record: TransferRecord): boolean {
  if (account === null) return true;
  const { owner } = transferKinds[kind];
  return owner !== undefined && record[owner] === account && !(kind === 'sign_ins' && record.slug === null);
}

export interface ExportOptions extends ExportScope, SecretChange {
  /** Writes a line, given without its line feed. Rejects if that fails. */
  readonly write: (line: string) => void | Promise<void>;
  readonly progress: Progress;
  /** The secret key in the header. Default: the key that opens secrets. */
  readonly exportedKey?: Uint8Array | undefined;
  /** Changes a record before it is written. */
  readonly change?: (kind: TransferKind, record: TransferRecord) => TransferRecord;
}

/** Writes all records of `reader`. Equal records are written in equal order. Rejects if either side fails. */
export async function writeExport(reader: TransferReader, options: ExportOptions): Promise<Exported> {
  const { account, seal, secretKeys, exportedKey = secretKeys[0], write } = options;
  const sum = createHash('sha256');
  const mac = seal.mac();
  const kinds: Partial<Record<TransferKind, number>> = {};
  let records = 0;
  const put = async (line: string) => {
    sum.update(line).update('\n');
    mac.update(line).update('\n');
    await write(line);
  };
  const header: ExportHeader = {
    holdfast: 'export',
    format: exportFormat,
    migration: newestMigration,
    account,
    salt: seal.salt,
    kdf: seal.cost,
    secretKey: account === null ? seal.seal(exportedKey, 'secret key') : null,
    check: seal.seal(checkText, 'check'),
  };
  await put(JSON.stringify(header));
  for (const kind of transferKindNames) {
    options.progress.show(`Exporting ${transferKinds[kind].title}`);
    const sorter = new LineSorter();
    try {
      kinds[kind] = await sortKind(reader, kind, options, sorter);
      for (const line of sorter.lines()) await put(line);
    } finally {
      sorter.close();
    }
    records += kinds[kind] ?? 0;
  }
  const end: ExportEnd = { kind: 'end', records, sha256: sum.digest('hex'), mac: mac.digest('hex') };
  await write(JSON.stringify(end));
  return { records, sha256: end.sha256, kinds };
}

/** Fills the sorter with the records of a kind, and returns their number. */
async function sortKind(
  reader: TransferReader,
  kind: TransferKind,
  options: ExportOptions,
  sorter: LineSorter,
): Promise<number> {
  if (options.account !== null && transferKinds[kind].owner === undefined) return 0;
  const keyOf = keysFor(kind);
  let records = 0;
  for await (const batch of reader.read(kind, null)) {
    for (const read of batch.records) {
      const key = keyOf(read);
      if (!isInScope(options, kind, read)) continue;
      const record = options.change?.(kind, read) ?? read;
      sorter.add(key, lineOf(kind, record, options));
      records++;
    }
  }
  return records;
}
