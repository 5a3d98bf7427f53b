/*
 * How the tables are connected.
 *
 * Accounts and projects have an integer that is never used twice (AUTOINCREMENT), and all other rows refer to that integer.
 * So deleting the one row of a project or account makes everything in it unreachable at once, whatever its size. `orphans`
 * lists what the sweep still has to delete (sweep.ts).
 *
 * Names and comments are stored as JSON text, because UTF-8 cannot hold the lone surrogates that a JSON string can contain.
 *
 * Why pages of 8 KiB (database.ts): a page of 4 KiB holds one state of 2 KB and wastes the rest (16.6 µs a write); one of
 * 16 KiB costs a single write twice the bytes and saves nothing in a group (13.2 µs). States of 250 KB cost 0.63, 0.50 and
 * 0.47 ms. Rowid tables throughout: 2 KB payloads in a WITHOUT ROWID table were three times slower.
 */
import { signInTables } from './identity-tables.ts';
import { publicStateTables, repeatTables, userStateTables } from './state-tables.ts';

/**
 * What an account uses is in its row, and every transaction that changes the usage changes it there. So it is right at the
 * moment a project is deleted, although the sweep takes its time. What belongs to a project is in rows that are deleted with
 * it: the bytes of all kept versions are in each head, which a write replaces anyway (`kept_bytes`); end users and the bytes
 * of their states are in the project. A limit is null when that of the installation applies, and 0 is unlimited. API
 * requests are counted for each month separately, so a clock that is wrong for a while spoils no other month.
 */
const placeTables = `
CREATE TABLE accounts (
  account_number INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  idp_tenant_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  projects INTEGER NOT NULL DEFAULT 0,
  end_users INTEGER NOT NULL DEFAULT 0,
  storage_bytes INTEGER NOT NULL DEFAULT 0,
  api_requests_max INTEGER,
  projects_max INTEGER,
  end_users_max INTEGER,
  storage_bytes_max INTEGER
) STRICT;
CREATE INDEX accounts_by_creation ON accounts (created_at, account_id);

CREATE TABLE projects (
  project_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  end_users INTEGER NOT NULL DEFAULT 0,
  user_state_bytes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, slug)
) STRICT;
CREATE INDEX projects_by_creation ON projects (account_id, created_at, slug);
`;

/** Tables for the work of the sweep, and for the writes that check readiness. */
const upkeepTables = `
CREATE TABLE orphans (
  orphan_number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('account', 'versions', 'end_users')),
  target INTEGER NOT NULL,
  account_id TEXT
) STRICT;
CREATE INDEX orphans_by_account ON orphans (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE readiness (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  probes INTEGER NOT NULL
) STRICT;
INSERT INTO readiness (id, probes) VALUES (1, 0);
`;

/** The tables that only this engine has in this form; the others are in storage/cold/tables.ts. */
export const ownTables = [placeTables, publicStateTables, userStateTables, repeatTables, signInTables, upkeepTables].join(
  '',
);
