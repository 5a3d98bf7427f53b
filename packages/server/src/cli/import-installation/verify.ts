/** Checks that the imported records equal the export. */
import { createHash } from 'node:crypto';
import type { SecretKeys } from '../../secrets/secret-key.ts';
import { newestMigration } from '../../storage/sql/schema/releases.ts';
import type { TransferReader } from '../../storage/transfer/copy.ts';
import { type TransferKind, type TransferRecord, transferKinds } from '../../storage/transfer/kinds.ts';
import { type ExportOptions, writeExport } from '../export/write.ts';
import { CommandFault } from '../fault.ts';
import type { Progress } from '../progress.ts';
import { type ImportFile, linesOf } from './file.ts';

/** Whether an export has the fields of this release. */
export const isSameRelease = ({ header }: Pick<ImportFile, 'header'>): boolean => header.migration === newestMigration;

/** The secret key of the exported installation; undefined in the export of an account. */
export const exportedKeyOf = ({ header, seal }: ImportFile): Uint8Array | undefined =>
  header.secretKey === null ? undefined : seal.open(header.secretKey, 'secret key');

const mismatch = () => new CommandFault('the imported data differs from the export and cannot be used');

/** Records that expire. A service that runs meanwhile may remove expired ones, whoever owns them. */
const swept: ReadonlySet<TransferKind> = new Set([
  'request_figures',
  'audit_records',
  'invitations',
  'player_blocks',
  'proposals',
  'player_endings',
  'pending_sign_ups',
  'password_resets',
  'sign_ins',
  'write_repeats',
]);

export interface Verification {
  readonly secretKeys: SecretKeys;
  readonly progress: Progress;
  /** Reverts deliberate changes of the import. */
  readonly change?: ExportOptions['change'];
  /** Whether a service may run on the store. */
  readonly isShared: boolean;
  /** Called now and then. */
  readonly onLine?: () => Promise<void>;
}

/**
 * Exports what is stored and compares it, line by line, with the file, which must not have changed since it was checked. For exports of
 * earlier releases, only counts are compared. Throws `CommandFault` if anything differs.
 */
export async function requireSame(reader: TransferReader, file: ImportFile, verification: Verification): Promise<void> {
  const { secretKeys, progress, change, onLine } = verification;
  const comparison = isSameRelease(file) ? new Comparison(file, verification) : undefined;
  const options = {
    account: file.header.account,
    seal: file.seal,
    secretKeys,
    exportedKey: exportedKeyOf(file),
    progress,
    ...(change && { change }),
  };
  const again = await writeExport(reader, {
    ...options,
    async write(line) {
      await onLine?.();
      await comparison?.take(line);
    },
  });
  if (comparison !== undefined) await comparison.end();
  else if (!verification.isShared && again.records !== file.records) throw mismatch();
}

/** The lines of the file, paired with those of an export of what is stored. */
class Comparison {
  readonly #file: ImportFile;
  readonly #isShared: boolean;
  readonly #lines: AsyncGenerator<string>;
  readonly #sum = createHash('sha256');
  #read = 0;

  constructor(file: ImportFile, { isShared }: Verification) {
    this.#file = file;
    this.#isShared = isShared;
    this.#lines = linesOf(file.path, 0);
  }

  /** Takes the next line of the stored records. */
  async take(line: string): Promise<void> {
    // The first line names the release that wrote the file.
    if (this.#read === 0) {
      await this.#next();
      return;
    }
    if (line.startsWith('{"kind":"end"')) return;
    for (;;) {
      const wanted = await this.#next();
      if (wanted === line) return;
      if (wanted === undefined || !this.#mayBeMissing(wanted)) throw mismatch();
    }
  }

  async end(): Promise<void> {
    for (;;) {
      const wanted = await this.#next();
      if (wanted === undefined || wanted.startsWith('{"kind":"end"')) break;
      if (!this.#mayBeMissing(wanted)) throw mismatch();
    }
    await this.#lines.return(undefined);
    if (this.#sum.digest('hex') !== this.#file.sha256) throw new CommandFault('the export changed while it was imported');
  }

  async #next(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    if (done === true) return undefined;
    this.#read += 1;
    if (this.#read <= this.#file.records + 1) this.#sum.update(value).update('\n');
    return value;
  }

  /** Whether a record may be missing. Sessions of developers are not imported, though earlier releases exported them. */
  #mayBeMissing(line: string): boolean {
    const { kind, record } = JSON.parse(line) as { readonly kind: TransferKind; readonly record: TransferRecord };
    const isOfDeveloper = kind === 'sign_ins' && record.slug === null && this.#file.header.account !== null;
    return isOfDeveloper || (this.#isShared && swept.has(kind) && kind in transferKinds);
  }
}
