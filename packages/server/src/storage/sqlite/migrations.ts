import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** One step of the schema. Once released, its SQL never changes: a database remembers the SHA-256 of what it ran. */
export interface Migration {
  readonly number: number;
  readonly sql: string;
}

/*
 * How the tables hang together.
 *
 * Accounts and projects carry an integer that is never used twice (AUTOINCREMENT), and everything below refers to that
 * integer. Deleting the one row of a project or account therefore puts everything below out of reach at once, whatever its
 * size; `orphans` lists what the sweep still has to clear away (sweep.ts).
 *
 * A version of public state is appended and never touched again. Each points to the one before it (`previous_id`), and
 * `public_state_heads` holds one small row per project and environment: the last version number, and the row of the newest
 * version (null: nothing written; then `version` is the floor left by a deleted project of the same key). `head_key` is
 * project_id * 4 + environment; environments are 0 development, 1 staging, 2 production.
 *
 * Why not one index over (project_id, environment, version): every write would then change an index page of its own, since
 * each project's newest entry lies somewhere else. Measured with 64 projects, 2 KB states, 32 writes to a commit, pages of
 * 8 KiB, on one core: 21 us of processor time a write with that index, 12 us with heads and a chain. Only every 64th version
 * is indexed, which finds any version in at most 63 short steps along the chain.
 *
 * Why 8 KiB pages (database.ts): a page of 4 KiB holds one state of 2 KB and wastes the rest (16.6 us a write); one of
 * 16 KiB costs a lone write twice the bytes and saves nothing in a group (13.2 us). States of 250 KB cost 0.63, 0.50 and
 * 0.47 ms. Rowid tables throughout: 2 KB payloads in a WITHOUT ROWID table were three times slower.
 *
 * Names and comments are stored as JSON text, since UTF-8 has no place for the lone surrogates that a JSON string may hold.
 *
 * The state of an end user is one row that is replaced in place. Its `sequence` is the order of creation and what pages go
 * by: no update of a record touches an index. The text lies last, so that whatever does not want it does not read the pages
 * that it overflows into.
 *
 * Versions of user state go on above those of deleted records, and nothing that tells an end user is kept for that.
 * `end_user_floors` holds the highest version deleted among all end users of one bucket: 12 bits of a keyed hash of the id,
 * which 1 of 4,096 of all ids share. `user_versions` holds for a whole environment the floor that a deleted project of the
 * same key has left, and a ceiling that no version has passed: it is what the floor will be when this project is deleted,
 * so that a deletion need not look through a million records. It goes up in steps that double, thus is seldom written.
 *
 * A row of `sign_ins` begins as an authorization code and becomes the refresh-token family that the code is spent for
 * (`family_id` is null until then; `secret_hash` is null once the family is revoked). So a code is known as spent as long as
 * what it paid for may live, and no longer: the sweep takes both at once. `sweep_at` is a time at which a row may have
 * expired, never later than it does; a refresh does not touch it, the sweep moves it when it finds the family alive. Email
 * and name are gone from a row as soon as the code is spent.
 */
const initialSchema = `
CREATE TABLE accounts (
  account_number INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  idp_tenant_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_by_creation ON accounts (created_at, account_id);

CREATE TABLE projects (
  project_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_number INTEGER NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_number, slug)
) STRICT;
CREATE INDEX projects_by_creation ON projects (account_number, created_at, slug);

CREATE TABLE api_keys (
  api_key_number INTEGER PRIMARY KEY,
  key_hash BLOB NOT NULL UNIQUE,
  key_id TEXT NOT NULL UNIQUE,
  account_number INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  start TEXT NOT NULL,
  access TEXT NOT NULL,
  environments TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at);
CREATE INDEX api_keys_by_account ON api_keys (account_number);

CREATE TABLE signing_keys (
  signing_key_number INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  public_jwk TEXT NOT NULL,
  sealed_private_jwk BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE public_state_heads (
  head_key INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  newest_id INTEGER
) STRICT;

CREATE TABLE public_state_versions (
  id INTEGER PRIMARY KEY,
  previous_id INTEGER,
  project_id INTEGER NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  comment TEXT,
  state TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX public_state_milestones ON public_state_versions (project_id, environment, version)
  WHERE version % 64 = 0;

CREATE TABLE version_floors (
  account_number INTEGER NOT NULL,
  slug TEXT NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_number, slug, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  end_user_id TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX user_states_by_end_user ON user_states (project_id, end_user_id, environment);
CREATE INDEX user_states_by_creation ON user_states (project_id, environment);

CREATE TABLE user_versions (
  head_key INTEGER PRIMARY KEY,
  version_floor INTEGER NOT NULL,
  version_ceiling INTEGER NOT NULL
) STRICT;

CREATE TABLE end_user_floors (
  head_key INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (head_key, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_version_floors (
  account_number INTEGER NOT NULL,
  slug TEXT NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_number, slug, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE bucket_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret BLOB NOT NULL
) STRICT;
INSERT INTO bucket_key (id, secret) VALUES (1, randomblob(32));

CREATE TABLE end_user_auth (
  project_id INTEGER PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT;

CREATE TABLE developers (
  developer_number INTEGER PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_number INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX developers_by_account ON developers (account_number);

CREATE TABLE sign_ins (
  sign_in_number INTEGER PRIMARY KEY,
  account_number INTEGER NOT NULL,
  project_id INTEGER,
  environment INTEGER,
  client_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  scope TEXT NOT NULL,
  code_hash BLOB NOT NULL UNIQUE,
  code_expires_at INTEGER NOT NULL,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  email TEXT,
  name TEXT,
  family_id TEXT,
  created_at INTEGER,
  idle_expires_at INTEGER,
  absolute_expires_at INTEGER,
  secret_hash BLOB,
  previous_secret_hash BLOB,
  replaced_at INTEGER,
  sweep_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sign_ins_by_family ON sign_ins (family_id) WHERE family_id IS NOT NULL;
CREATE INDEX sign_ins_by_end_user ON sign_ins (project_id, subject) WHERE project_id IS NOT NULL;
CREATE INDEX sign_ins_of_developers ON sign_ins (account_number) WHERE project_id IS NULL;
CREATE INDEX sign_ins_by_sweep ON sign_ins (sweep_at);

CREATE TABLE orphans (
  orphan_number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('account', 'versions', 'end_users')),
  target INTEGER NOT NULL
) STRICT;

CREATE TABLE readiness (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  probes INTEGER NOT NULL
) STRICT;
INSERT INTO readiness (id, probes) VALUES (1, 0);
`;

export const migrations: readonly Migration[] = [{ number: 1, sql: initialSchema }];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Compares what a database has applied with what the program knows. Returns the migrations still to apply, in order; throws
 * an `Error` that names the migration when one was changed after it was applied, and when the database is newer.
 */
export function pendingMigrations(database: DatabaseSync, known: readonly Migration[] = migrations): Migration[] {
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'migrations'").get();
  const rows = tables?.count === 0 ? [] : database.prepare('SELECT number, sha256 FROM migrations').all();
  const applied = new Map(rows.map((row) => [row.number, row.sha256]));
  const newest = known.at(-1)?.number ?? 0;
  for (const number of applied.keys()) {
    if (Number(number) > newest) {
      throw new Error(
        `cannot open the database: it has migration ${number}, this program knows ${newest} and no newer; update the program`,
      );
    }
  }
  return known.filter((migration) => {
    const checksum = applied.get(migration.number);
    if (checksum !== undefined && checksum !== sha256(migration.sql)) {
      throw new Error(`cannot open the database: migration ${migration.number} was changed after it was applied`);
    }
    return checksum === undefined;
  });
}

/** Applies the given migrations, each in one transaction. A migration that fails leaves the database as it was before it. */
export function migrate(database: DatabaseSync, pending: readonly Migration[], now: number): void {
  for (const { number, sql } of pending) {
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(
        `CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT; ${sql}`,
      );
      database
        .prepare('INSERT INTO migrations (number, sha256, applied_at) VALUES (?, ?, ?)')
        .run(number, sha256(sql), now);
      database.exec('COMMIT');
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw new Error(`cannot apply migration ${number}`, { cause });
    }
  }
}
