/** The file of an export: checked completely before anything is written, then read kind by kind. */

import { createHash, type Hmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../common/objects.ts';
import { batchBytesMax, batchRecordsMax, type TransferBatch } from '../../storage/transfer/copy.ts';
import { type TransferKind, type TransferRecord, transferKindNames } from '../../storage/transfer/kinds.ts';
import { recordOf, type SecretChange } from '../export/lines.ts';
import type { ExportSeal } from '../export/seal.ts';
import { isInScope } from '../export/write.ts';
import { CommandFault } from '../fault.ts';
import { RecordChecks } from './check.ts';
import { hasMac, headerOf, openSeal, type ReadHeader } from './header.ts';

const places: ReadonlyMap<unknown, number> = new Map(transferKindNames.map((name, index) => [name, index]));
const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;
/** Longer than any record that the service stores, with every character escaped. */
const lineBytesMax = 16 * 1024 * 1024;

/** The position and number of a kind's lines. */
interface Part {
  readonly start: number;
  /** The line number of the first. */
  readonly firstLine: number;
  readonly records: number;
}

export interface ImportFile {
  readonly path: string;
  readonly header: Pick<ReadHeader, 'account' | 'migration' | 'secretKey'>;
  readonly seal: ExportSeal;
  readonly records: number;
  /** Hash of all lines but the last, in hexadecimal. */
  readonly sha256: string;
  readonly parts: Readonly<Partial<Record<TransferKind, Part>>>;
}

/** Calls `work` with the path of a file. For `-`, standard input is stored in a private file until `work` has ended. */
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

export interface OpenOptions {
  /** Whether a file without a MAC is accepted. */
  readonly trusts: boolean;
}

/**
 * Checks a file before anything is stored: that it is complete and unchanged, and every value as untrusted input. Throws `CommandFault`,
 * which says what is wrong in which line.
 */
export async function openImportFile(path: string, passphrase: string, { trusts }: OpenOptions): Promise<ImportFile> {
  let found: Reading | undefined;
  let number = 0;
  try {
    for await (const line of linesOf(path, 0)) {
      number += 1;
      if (found === undefined) found = new Reading(line, passphrase, trusts);
      else found.take(line, number);
    }
    if (found === undefined) throw new CommandFault('the file is empty');
    return { path, ...found.end() };
  } finally {
    found?.checks.close();
  }
}

/** The first reading of a file, line by line. */
class Reading {
  readonly checks: RecordChecks;
  readonly #header: ReadHeader;
  readonly #seal: ExportSeal;
  readonly #change: SecretChange;
  readonly #sum = createHash('sha256');
  readonly #mac: Hmac;
  readonly #parts: Partial<Record<TransferKind, Part>> = {};
  #offset = 0;
  #records = 0;
  #lastKind = 0;
  #end: Readonly<Record<string, unknown>> | undefined;

  constructor(line: string, passphrase: string, trusts: boolean) {
    this.#header = headerOf(objectOf(line, 1));
    if (!hasMac(this.#header) && !trusts) {
      throw new CommandFault(
        'the export is of an earlier release, which did not authenticate what it wrote: nothing shows whether it was changed since',
        'if you know that nobody could change it, add --trust; every value is checked all the same',
      );
    }
    this.#seal = openSeal(this.#header, passphrase);
    // What is opened for checking is not kept.
    this.#change = { seal: this.#seal, secretKeys: [randomBytes(32)] };
    this.#mac = this.#seal.mac();
    this.checks = new RecordChecks(this.#header.account);
    this.#count(line);
  }

  take(line: string, number: number): void {
    if (this.#end !== undefined) throw new CommandFault(`line ${number} of the export follows its end`);
    const parsed = objectOf(line, number);
    if (parsed.kind === 'end') {
      this.#end = parsed;
      return;
    }
    const place = places.get(parsed.kind) ?? -1;
    if (place === -1) throw new CommandFault(`line ${number} of the export has an unknown kind`);
    if (place < this.#lastKind)
      throw new CommandFault(`line ${number} of the export is not where it was written: lines were moved`);
    this.#lastKind = place;
    const kind = transferKindNames[place] as TransferKind;
    this.checks.add(number, kind, recordIn(kind, parsed, number, this.#change));
    const part = this.#parts[kind] ?? { start: this.#offset, firstLine: number, records: 0 };
    this.#parts[kind] = { ...part, records: part.records + 1 };
    this.#records += 1;
    this.#count(line);
  }

  end(): Omit<ImportFile, 'path'> {
    const { records, sha256, mac } = this.#end ?? {};
    if (this.#end === undefined) throw new CommandFault('the export is not complete: its last line is missing');
    const found = { sha256: this.#sum.digest('hex'), mac: this.#mac.digest() };
    if (records !== this.#records) {
      throw new CommandFault(
        `the export has ${this.#records} records, and had ${String(records)} when it was written: lines were added or removed`,
      );
    }
    if (sha256 !== found.sha256) throw new CommandFault('the export was changed or damaged after it was made');
    if (hasMac(this.#header) && !isMac(mac, found.mac)) {
      throw new CommandFault('the export was changed by somebody who did not know its passphrase: its MAC does not fit');
    }
    this.checks.end();
    const { account, migration } = this.#header;
    return {
      header: { account, migration, secretKey: this.#header.secretKey },
      seal: this.#seal,
      records: this.#records,
      sha256: found.sha256,
      parts: this.#parts,
    };
  }

  #count(line: string): void {
    this.#sum.update(line).update('\n');
    this.#mac.update(line).update('\n');
    this.#offset += Buffer.byteLength(line) + 1;
  }
}

function isMac(given: unknown, expected: Uint8Array): boolean {
  const bytes = Buffer.from(typeof given === 'string' ? given : '', 'hex');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Returns the record of a parsed line. Throws `CommandFault`, which names the line, if it has none. */
function recordIn(
  kind: TransferKind,
  { record }: Readonly<Record<string, unknown>>,
  number: number,
  change: SecretChange,
): TransferRecord {
  if (!isObject(record)) throw new CommandFault(`line ${number} of the export has no record`);
  try {
    return recordOf(kind, record, change);
  } catch (error) {
    throw new CommandFault(`line ${number} of the export: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Yields the lines from an offset. Only a line feed ends a line: a line may contain other characters that end lines elsewhere. */
export async function* linesOf(path: string, start: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path, { start, highWaterMark: chunkBytes })) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        begun.push(chunk.subarray(from, end));
        yield decodedLine(Buffer.concat(begun));
        [begun, length] = [[], 0];
        from = end + 1;
      }
      begun.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > lineBytesMax) throw new CommandFault(`a line of the export is longer than ${lineBytesMax} bytes`);
    }
  } catch (error) {
    if (error instanceof CommandFault) throw error;
    throw new CommandFault(`cannot read the export: ${error instanceof Error ? error.message : String(error)}`);
  }
  const rest = Buffer.concat(begun);
  if (rest.length > 0) yield decodedLine(rest);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodedLine(line: Uint8Array): string {
  try {
    return utf8.decode(line);
  } catch {
    throw new CommandFault('the export is not UTF-8');
  }
}

function objectOf(line: string, number: number): Readonly<Record<string, unknown>> {
  if (line.startsWith('\ufeff')) {
    throw new CommandFault(
      'the export begins with a byte order mark: an editor or a shell has changed it since it was written',
    );
  }
  try {
    const parsed: unknown = JSON.parse(line);
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below.
  }
  throw new CommandFault(`line ${number} of the export is not a JSON object`);
}

/** Reads the records of a kind in batches, from record `skipped`. Throws `CommandFault`, which names the line, for an invalid record. */
export async function* readKind(
  { path, header, parts }: Pick<ImportFile, 'path' | 'header' | 'parts'>,
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
    const number = part.firstLine + read - 1;
    const record = recordIn(kind, objectOf(line, number), number, change);
    if (isInScope(header, kind, record)) records.push(record);
    bytes += line.length;
    if (records.length >= batchRecordsMax || bytes >= batchBytesMax) {
      yield { records, cursor: String(read) };
      [records, bytes] = [[], 0];
    }
  }
  if (records.length > 0) yield { records, cursor: String(Math.min(read, part.records)) };
}
