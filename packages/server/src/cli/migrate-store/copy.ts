/** The copy from one engine to another, one kind of record after another. Then both sides are read and compared. */
import { hash } from 'node:crypto';
import type {
  CopyProgress,
  TransferBatch,
  TransferReader,
  TransferSource,
  TransferTarget,
} from '../../storage/transfer/copy.ts';
import {
  copiedKindNames,
  type TransferKind,
  type TransferRecord,
  type TransferValue,
  transferKinds,
} from '../../storage/transfer/kinds.ts';
import { CommandFault } from '../fault.ts';
import type { Progress } from '../progress.ts';
import { formatCount } from '../units.ts';

/** Count and checksum of all records of a kind, independent of the reading order. */
interface KindSum {
  readonly records: number;
  /** The sum of the SHA-256 of each record, modulo 2^256, in hexadecimal. */
  readonly checksum: string;
}

export type KindSums = Readonly<Record<TransferKind, KindSum>>;

/** Copies the remaining records. Rejects if either side fails; what was copied until then is kept. */
export async function copyRecords(source: TransferSource, target: TransferTarget, progress: Progress): Promise<void> {
  const estimated = await estimate(source);
  let reached = target.begun;
  const show = () => {
    progress.show(`Copying ${transferKinds[reached.kind].title}`, shareOf(reached.records, estimated));
  };
  for (const kind of copiedKindNames.slice(copiedKindNames.indexOf(reached.kind))) {
    reached = { ...reached, kind, cursor: kind === reached.kind ? reached.cursor : null };
    show();
    for await (const batch of ahead(source.read(kind, reached.cursor))) {
      const next: CopyProgress = { kind, cursor: batch.cursor, records: reached.records + batch.records.length };
      await target.write(batch, next);
      reached = next;
      show();
    }
  }
}

/** Reads the next batch while the previous one is used. */
async function* ahead(batches: AsyncIterable<TransferBatch>): AsyncGenerator<TransferBatch> {
  const iterator = batches[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      // It starts while the write of this batch waits for its result.
      next = new Promise<void>((resolve) => setImmediate(resolve)).then(() => iterator.next());
      next.catch(() => undefined); // reported when it is awaited
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}

async function estimate(source: TransferReader): Promise<number> {
  let records = 0;
  for (const kind of copiedKindNames) records += await source.estimate(kind);
  return records;
}

/** The estimate can be too low. */
const shareOf = (records: number, estimated: number): number => (estimated === 0 ? 1 : Math.min(1, records / estimated));

/**
 * Reads all records of both sides and returns their counts and checksums. Throws `CommandFault` with a line for each kind that differs, for
 * example because something changed since the copy began.
 */
export async function compareRecords(
  source: TransferSource,
  target: TransferTarget,
  progress: Progress,
): Promise<KindSums> {
  const estimated = (await estimate(source)) * 2;
  let passed = 0;
  const sums: Partial<Record<TransferKind, KindSum>> = {};
  const faults: string[] = [];
  for (const kind of copiedKindNames) {
    const onRecords = (records: number) => {
      passed += records;
      progress.show(`Comparing ${transferKinds[kind].title}`, shareOf(passed, estimated));
    };
    onRecords(0);
    const [expected, found] = await Promise.all([sumOf(source, kind, onRecords), sumOf(target, kind, onRecords)]);
    sums[kind] = found;
    if (expected.checksum !== found.checksum) faults.push(difference(kind, expected, found));
  }
  if (faults.length === 0) return sums as KindSums;
  throw new CommandFault(
    'the copy differs from the source: the source has changed since the copy began, or the copy was changed;',
    'stop everything that writes to them, and run the command again with --restart:',
    ...faults,
  );
}

function difference(kind: TransferKind, expected: KindSum, found: KindSum): string {
  const { title } = transferKinds[kind];
  if (expected.records === found.records) {
    return `  ${title}: ${formatCount(found.records)} on both sides, but their checksums differ`;
  }
  return `  ${title}: ${formatCount(expected.records)} in the source, ${formatCount(found.records)} in the copy`;
}

async function sumOf(reader: TransferReader, kind: TransferKind, onRecords: (records: number) => void): Promise<KindSum> {
  const { fields, orderedWithin = [] } = transferKinds[kind];
  let records = 0;
  let sum = 0n;
  let [group, position] = ['', 0];
  for await (const batch of reader.read(kind, null)) {
    for (const record of batch.records) {
      if (orderedWithin.length > 0) {
        const next = encode(record, orderedWithin);
        [group, position] = [next, next === group ? position + 1 : 1];
      }
      sum += BigInt(`0x${hash('sha256', encode(record, fields, position))}`);
    }
    records += batch.records.length;
    onRecords(batch.records.length);
  }
  return { records, checksum: (sum % 2n ** 256n).toString(16).padStart(64, '0') };
}

/** The text of a record, at a position if it has one. Different records have different texts. */
const encode = (record: TransferRecord, fields: readonly string[], position = 0): string =>
  JSON.stringify([position, ...fields.map((field) => encodeValue(record[field] as TransferValue))]);

const encodeValue = (value: TransferValue): unknown =>
  value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value;
