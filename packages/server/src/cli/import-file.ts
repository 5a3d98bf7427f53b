/** The file of an export: looked through once before anything of it is written, then read kind by kind. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { newestMigration } from '../storage/cold/releases.ts';
import {
  batchBytesMax,
  batchRecordsMax,
  type TransferBatch,
  type TransferKind,
  type TransferRecord,
  transferKindNames,
} from '../storage/transfer.ts';
import { type ExportHeader, exportFormat, recordOf, type SecretChange } from './export-lines.ts';
import { createExportSeal, type ExportSeal } from './export-seal.ts';
import { CommandFault } from './fault.ts';

const places: ReadonlyMap<unknown, number> = new Map(transferKindNames.map((name, index) => [name, index]));
const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;

/** Where the lines of a kind begin, and how many they are. */
interface Part {
  readonly start: number;
  readonly records: number;
}

export interface ImportFile {
  readonly path: string;
  readonly header: ExportHeader;
  readonly seal: ExportSeal;
  readonly records: number;
  /** Of all lines but the last, in hexadecimal. */
  readonly sha256: string;
  readonly parts: Readonly<Partial<Record<TransferKind, Part>>>;
}

/** Calls `work` with the path of a file. `-` is standard input, which is kept in a private file until `work` has ended. */
export async function withFile<Result>(file: string, work: (path: string) => Promise<Result>): Promise<Result> {
  if (file !== '-') return work(file);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-'));
  try {
    const path = join(folder, 'export');
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks through a file. Throws `CommandFault` when it is no export, is not complete, was changed, or does not open. */
export async function openImportFile(path: string, passphrase: string): Promise<ImportFile> {
  const sum = createHash('sha256');
  const parts: Partial<Record<TransferKind, { start: number; records: number }>> = {};
  let [header, seal]: [ExportHeader | undefined, ExportSeal | undefined] = [undefined, undefined];
  let [offset, number, records, lastKind] = [0, 0, 0, -1];
  let end: Readonly<Record<string, unknown>> | undefined;
  for await (const line of linesOf(path, 0)) {
    number += 1;
    if (end !== undefined) throw new CommandFault(`line ${number} of the export follows its end`);
    const parsed = objectOf(line, number);
    if (header === undefined) {
      header = headerOf(parsed);
      seal = demandSeal(header, passphrase);
    } else if (parsed.kind === 'end') {
      end = parsed;
      continue;
    } else {
      const kind = places.get(parsed.kind) ?? -1;
      if (kind < Math.max(lastKind, 0))
        throw new CommandFault(`line ${number} of the export is of no kind that can stand there`);
      lastKind = kind;
      const name = transferKindNames[kind] as TransferKind;
      const part = parts[name] ?? { start: offset, records: 0 };
      parts[name] = { ...part, records: part.records + 1 };
      records += 1;
    }
    sum.update(line).update('\n');
    offset += Buffer.byteLength(line) + 1;
  }
  if (header === undefined || seal === undefined) throw new CommandFault('the file is empty');
  const sha256 = sum.digest('hex');
  if (!isDeepStrictEqual(end, { kind: 'end', records, sha256 })) {
    throw new CommandFault(
      end === undefined
        ? 'the export is not complete: its last line is missing'
        : 'the export was changed since it was made',
    );
  }
  return { path, header, seal, records, sha256, parts };
}

/** Yields the lines from a place on. Only a line feed ends one: a line has other characters that end lines elsewhere. */
async function* linesOf(path: string, start: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { start, highWaterMark: chunkBytes })) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        begun.push(chunk.subarray(from, end));
        yield Buffer.concat(begun).toString('utf8');
        begun = [];
        from = end + 1;
      }
      begun.push(chunk.subarray(from));
    }
  } catch (error) {
    throw new CommandFault(`cannot read the export: ${error instanceof Error ? error.message : String(error)}`);
  }
  const rest = Buffer.concat(begun);
  if (rest.length > 0) yield rest.toString('utf8');
}

function objectOf(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (isObject(parsed)) return parsed;
  } catch {
    // It is said below.
  }
  throw new CommandFault(`line ${number} of the export is no JSON object`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function headerOf({
  holdfast,
  format,
  migration,
  account,
  salt,
  secretKey,
  check,
}: Readonly<Record<string, unknown>>): ExportHeader {
  if (holdfast !== 'export') throw new CommandFault('the file is no export of Holdfast');
  if (typeof format !== 'number' || typeof migration !== 'number' || format > exportFormat || migration > newestMigration) {
    throw new CommandFault('the export was made by a later release: use that one, or a newer one');
  }
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
  if (!isText(salt) || !isText(check) || !isTextOrNull(account) || !isTextOrNull(secretKey)) {
    throw new CommandFault('the first line of the export is damaged');
  }
  return { holdfast, format, migration, account, salt, secretKey, check };
}

function demandSeal({ salt, check }: ExportHeader, passphrase: string): ExportSeal {
  const seal = createExportSeal(passphrase, salt);
  if (seal.open(check, 'check') === undefined) throw new CommandFault('the passphrase is not that of the export');
  return seal;
}

/** Reads the records of a kind in batches, behind as many as `skipped` says. Throws an `Error` that names the kind when one is no such record. */
export async function* readKind(
  { path, parts }: ImportFile,
  kind: TransferKind,
  skipped: number,
  change: SecretChange,
): AsyncGenerator<TransferBatch> {
  const part = parts[kind];
  if (part === undefined) return;
  let [read, bytes] = [0, 0];
  let records: TransferRecord[] = [];
  for await (const line of linesOf(path, part.start)) {
    read += 1;
    if (read > part.records) break;
    if (read <= skipped) continue;
    const { record } = JSON.parse(line);
    if (!isObject(record)) throw new Error(`a line of the kind ${kind} has no record`);
    records.push(recordOf(kind, record, change));
    bytes += line.length;
    if (records.length >= batchRecordsMax || bytes >= batchBytesMax) {
      yield { records, cursor: String(read) };
      [records, bytes] = [[], 0];
    }
  }
  if (records.length > 0) yield { records, cursor: String(Math.min(read, part.records)) };
}
