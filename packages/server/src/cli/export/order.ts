/** The order of records in an export. It is the same for both engines, whatever order they are read in. */
import { DatabaseSync } from 'node:sqlite';
import { type TransferKind, type TransferRecord, transferKinds } from '../../storage/transfer/kinds.ts';

/** A part of a key. Texts end with a byte that occurs in no text; numbers have a fixed length. */
function partOf(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(`${Buffer.from(value).toString('hex')}\0`);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(value));
    return bytes;
  }
  return Buffer.from(`${value ?? ''}\0`);
}

/** Returns the keys of a kind's records in reading order. Comparing the bytes of two keys orders their records. */
export function keysFor(kind: TransferKind): (record: TransferRecord) => Uint8Array {
  const { key, orderedWithin } = transferKinds[kind];
  let read = 0;
  return (record) =>
    Buffer.concat([...key.map((field) => partOf(record[field])), ...(orderedWithin === undefined ? [] : [partOf(++read)])]);
}

/** Sorts lines by their keys, on disk if there are many, in a nameless file that is deleted with the process. */
export class LineSorter {
  readonly #database = new DatabaseSync('');
  readonly #insert;

  constructor() {
    this.#database.exec('PRAGMA journal_mode = OFF; CREATE TABLE lines (key BLOB NOT NULL, line TEXT NOT NULL); BEGIN');
    this.#insert = this.#database.prepare('INSERT INTO lines (key, line) VALUES (?, ?)');
  }

  add(key: Uint8Array, line: string): void {
    this.#insert.run(key, line);
  }

  *lines(): Generator<string> {
    this.#database.exec('CREATE INDEX lines_by_key ON lines (key)');
    for (const { line } of this.#database.prepare('SELECT line FROM lines ORDER BY key').iterate()) yield String(line);
  }

  close(): void {
    this.#database.close();
  }
}
