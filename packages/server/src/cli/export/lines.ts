/**
 * The lines of an export: a header, a line per record, and an end with the number of records. Fields have the names and values of columns
 * (storage/transfer/kinds.ts). Bytes are `{"base64": …}`, secrets `{"sealed": …}`.
 *
 * @see docs/backup.md "Format of an export"
 */
import { createSealer } from '../../secrets/sealer.ts';
import type { SecretKeys } from '../../secrets/secret-key.ts';
import { type TransferKind, type TransferRecord, type TransferValue, transferKinds } from '../../storage/transfer/kinds.ts';
import { sealedFieldOf } from '../sealed-fields.ts';
import type { ExportSeal, KeyCost } from './seal.ts';

/** The version of this format. Version 1, of earlier releases, has neither `kdf` nor `mac`. */
export const exportFormat = 2;

/** The first line. */
export interface ExportHeader {
  readonly holdfast: 'export';
  readonly format: number;
  /** The newest migration of the store. */
  readonly migration: number;
  /** The exported account; null for the whole installation. */
  readonly account: string | null;
  readonly salt: string;
  /** How keys are derived from the passphrase. */
  readonly kdf: KeyCost;
  /** The sealed secret key of the installation; null in the export of an account. */
  readonly secretKey: string | null;
  /** A known text, sealed. Only the right passphrase opens it. */
  readonly check: string;
}

/**
 * The last line. `sha256` is the hash of all lines before it, in hexadecimal; anybody can compute it. `mac` is over the same bytes, with a
 * key derived from the passphrase.
 */
export interface ExportEnd {
  readonly kind: 'end';
  readonly records: number;
  readonly sha256: string;
  readonly mac: string;
}

/** Secrets of records are sealed with a secret key in a store, and with a passphrase in an export. */
export interface SecretChange {
  readonly secretKeys: SecretKeys;
  readonly seal: ExportSeal;
  /** Called for a value that the secret key does not open. It is exported unchanged. */
  readonly onUnopened?: (label: string) => void;
}

const noTimes = { apply_at: null, revert_at: null, next_at: null, scheduled_by: null, scheduler: null };

/**
 * Fields that an export does not take along: webhooks arrive switched off, with nothing waiting, and open proposals without times, so that a
 * copy of an installation sends and applies nothing, and only the operator of a machine opens its networks.
 */
const leftOut: Partial<Readonly<Record<TransferKind, TransferRecord>>> = {
  accounts: { webhook_networks: null },
  webhooks: { enabled: 0, disabled_reason: 'imported', failing_since: null, waiting: 0, next_at: null },
};

const labelOf = (kind: TransferKind, recordId: string): string => `${kind} ${recordId}`;
const bucketLabel = 'installation bucket_secret';

/** Returns the line of a record. */
export function lineOf(kind: TransferKind, record: TransferRecord, change: SecretChange): string {
  const isOpen = kind === 'proposals' && record.state === 'open';
  const exported = { ...record, ...leftOut[kind], ...(isOpen && noTimes) };
  const fields = transferKinds[kind].fields.map((field) => [field, writtenOf(kind, field, exported, change)]);
  return JSON.stringify({ kind, record: Object.fromEntries(fields) });
}

function writtenOf(kind: TransferKind, field: string, record: TransferRecord, change: SecretChange): unknown {
  const value = record[field] as TransferValue;
  if (!(value instanceof Uint8Array)) return value;
  if (kind === 'installation') return { sealed: change.seal.seal(value, bucketLabel) };
  const sealed = sealedFieldOf(kind);
  const base64 = { base64: Buffer.from(value).toString('base64') };
  if (sealed?.field !== field) return base64;
  const label = labelOf(kind, sealed.recordId(record));
  const plain = opened(() => createSealer(change.secretKeys, sealed.purpose).open(value, sealed.recordId(record)));
  if (plain === undefined) change.onUnopened?.(label);
  return plain === undefined ? base64 : { sealed: change.seal.seal(plain, label) };
}

function opened(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Returns the record of a line's fields. Throws an `Error` that says what is wrong, without values. */
export function recordOf(
  kind: TransferKind,
  given: Readonly<Record<string, unknown>>,
  change: SecretChange,
): TransferRecord {
  const { fields } = transferKinds[kind];
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no field of ${transferKinds[kind].title}`);
  const plain = Object.fromEntries(
    fields.map((field) => [field, plainOf(kind, field, field in given ? given[field] : defaultOf(kind, field))]),
  );
  return resealed(kind, given, plain, change);
}

/** The value of a field that is newer than the release that wrote the export. */
function defaultOf(kind: TransferKind, field: string): TransferValue {
  const { title, defaults } = transferKinds[kind];
  const value = defaults[field];
  if (value === undefined) throw new Error(`a record of ${title} has no field "${field}"`);
  return value;
}

function plainOf(kind: TransferKind, field: string, value: unknown): TransferValue {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'object') {
    if ('base64' in value && typeof value.base64 === 'string') {
      const bytes = Buffer.from(value.base64, 'base64');
      if (bytes.toString('base64') === value.base64) return bytes;
    }
    if ('sealed' in value && typeof value.sealed === 'string') return null; // filled in once the rest of the record is known
  }
  throw new Error(`the field "${field}" of a record of ${transferKinds[kind].title} is no value`);
}

/** Seals the secrets of a record with the secret key of the destination. */
function resealed(
  kind: TransferKind,
  given: Readonly<Record<string, unknown>>,
  record: TransferRecord,
  { seal, secretKeys }: SecretChange,
): TransferRecord {
  const secrets = Object.entries(given).flatMap(([field, value]) =>
    typeof value === 'object' && value !== null && 'sealed' in value ? [[field, String(value.sealed)] as const] : [],
  );
  const found = secrets.map(([field, text]) => {
    const sealed = sealedFieldOf(kind);
    const label = sealed === undefined ? bucketLabel : labelOf(kind, sealed.recordId(record));
    const plain = seal.open(text, label);
    if (plain === undefined)
      throw new Error(`the field "${field}" of a record of ${transferKinds[kind].title} does not open`);
    const value =
      sealed === undefined ? plain : createSealer(secretKeys, sealed.purpose).seal(plain, sealed.recordId(record));
    return [field, value] as const;
  });
  return { ...record, ...Object.fromEntries(found) };
}
