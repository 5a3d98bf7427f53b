/**
 * The references between records of an export, to check that each target exists. If there are many, names are kept on disk, in a nameless
 * file that is deleted with the process.
 */
import { DatabaseSync } from 'node:sqlite';

type NamePart = string | number | null | Uint8Array;

const textOf = (kind: string, parts: readonly NamePart[]): string =>
  JSON.stringify([kind, ...parts.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part))]);

export class Links {
  readonly #database = new DatabaseSync('');
  readonly #define;
  readonly #refer;
  #lastReference = '';

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE uses (name TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
      BEGIN`);
    this.#define = this.#database.prepare('INSERT OR IGNORE INTO names (name) VALUES (?)');
    this.#refer = this.#database.prepare('INSERT OR IGNORE INTO uses (name, line) VALUES (?, ?)');
  }

  /** Records that this name exists. Returns whether it is the first. */
  define(kind: string, ...parts: readonly NamePart[]): boolean {
    return Number(this.#define.run(textOf(kind, parts)).changes) === 1;
  }

  /** Records that a line needs this name, which may follow later. */
  refer(line: number, kind: string, ...parts: readonly NamePart[]): void {
    const name = textOf(kind, parts);
    if (name === this.#lastReference) return;
    this.#lastReference = name;
    this.#refer.run(name, line);
  }

  /** The first line with a missing reference, and the kind of what is missing. */
  missing(): { readonly line: number; readonly kind: string } | undefined {
    const row = this.#database
      .prepare('SELECT name, line FROM uses WHERE name NOT IN (SELECT name FROM names) ORDER BY line LIMIT 1')
      .get();
    return row && { line: Number(row.line), kind: String(JSON.parse(String(row.name))[0]) };
  }

  close(): void {
    this.#database.close();
  }
}
