/** Builds the versions of user states, and checks that they are unchanged. Intermediate data is kept on disk, not in memory. */
import { DatabaseSync } from 'node:sqlite';
import { UserStateTexts } from '../../storage/history/user-state-versions.ts';
import { integerAt, optionalIntegerAt, textAt } from '../../storage/rows/columns.ts';
import type { TransferRecord } from '../../storage/transfer/kinds.ts';
import { documentFault } from './values.ts';

const nameOf = ({ account_id, slug, environment, end_user_id }: TransferRecord): string =>
  JSON.stringify([account_id, slug, environment, end_user_id]);

/** A refused version: its line and the reason. */
export interface VersionFault {
  readonly line: number;
  readonly fault: string;
}

export class UserStateVersions {
  /** It has no name, and is deleted with the process. */
  readonly #database = new DatabaseSync('');
  readonly #addUserState;
  readonly #addVersion;
  #name: string | undefined;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      CREATE TABLE user_states (name TEXT PRIMARY KEY, version INTEGER NOT NULL, history_version INTEGER, state TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE versions (line INTEGER PRIMARY KEY, record TEXT NOT NULL);
      BEGIN`);
    this.#addUserState = this.#database.prepare(
      'INSERT OR IGNORE INTO user_states (name, version, history_version, state) VALUES (?, ?, ?, ?)',
    );
    this.#addVersion = this.#database.prepare('INSERT INTO versions (line, record) VALUES (?, ?)');
  }

  /** Takes the record of a user state. All of them precede the first version. */
  addUserState(record: TransferRecord): void {
    const historyVersion = optionalIntegerAt(record, 'history_version');
    this.#addUserState.run(nameOf(record), integerAt(record, 'version'), historyVersion, textAt(record, 'state'));
  }

  /** Takes a replaced version; those of a user state come in sequence, oldest first. Returns the fault of the previous user state. */
  addVersion(line: number, record: TransferRecord): VersionFault | undefined {
    const name = nameOf(record);
    const fault = name === this.#name ? undefined : this.end();
    this.#name = name;
    const { version, state_bytes, form, checksum, state } = record;
    this.#addVersion.run(line, JSON.stringify({ version, state_bytes, form, checksum, state }));
    return fault;
  }

  /** Returns the fault in the versions of the last user state. */
  end(): VersionFault | undefined {
    if (this.#name === undefined) return undefined;
    const fault = this.#faultOf(this.#name);
    this.#database.exec('DELETE FROM versions');
    this.#name = undefined;
    return fault;
  }

  close(): void {
    this.#database.close();
  }

  #faultOf(name: string): VersionFault | undefined {
    // No row: the missing user state is reported elsewhere.
    const userState = this.#database
      .prepare('SELECT version, history_version, state FROM user_states WHERE name = ?')
      .get(name);
    if (userState === undefined) return undefined;
    const version = integerAt(userState, 'version');
    const texts = new UserStateTexts({
      version,
      stateText: textAt(userState, 'state'),
      continues: userState.history_version === version,
    });
    for (const { line, record } of this.#database
      .prepare('SELECT line, record FROM versions ORDER BY line DESC')
      .iterate()) {
      const fault = faultOf(texts, JSON.parse(String(record)) as TransferRecord, version);
      if (fault !== undefined) return { line: Number(line), fault };
    }
    return undefined;
  }
}

function faultOf(texts: UserStateTexts, record: TransferRecord, current: number): string | undefined {
  if (integerAt(record, 'version') >= current) return '"version" is not below the version of the save';
  const found = texts.take(record);
  if (found.kind === 'gone') return undefined;
  if (found.kind !== 'text' || Buffer.byteLength(found.text) !== record.state_bytes)
    return '"state" cannot be read: what is stored is not what was written';
  const fault = documentFault(found.text);
  return fault && `"state" ${fault}`;
}
