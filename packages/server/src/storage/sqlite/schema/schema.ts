/*
 * How the tables are connected.
 *
 * A project has an integer that is never used twice (AUTOINCREMENT), and its records refer to that integer. Deleting the one row of a
 * project therefore makes all of it unreachable, whatever its size. `orphans` lists what the sweep still has to delete (sweep.ts). An
 * account is named by its id, and every read begins at its row; another account with the same id is created only when nothing is left.
 *
 * Names and comments are stored as JSON text, because UTF-8 cannot hold the lone surrogates that a JSON string can contain.
 *
 * Why pages of 8 KiB (database.ts): a page of 4 KiB holds one state of 2 KB and wastes the rest (16.6 µs a write); one of
 * 16 KiB costs a single write twice the bytes and saves nothing in a group (13.2 µs). States of 250 KB cost 0.63, 0.50 and
 * 0.47 ms. All are rowid tables: 2 KB payloads in a WITHOUT ROWID table were three times slower.
 */
import { signInTables } from './sign-in-tables.ts';
import { publicStateTables, repeatTables, userStateTables } from './state-tables.ts';

/**
 * One row counts what an account uses, and every transaction that changes the usage changes that row. It is therefore correct at the moment
 * a project is deleted, although the sweep takes its time. The counts of a project are in rows deleted with it: the bytes of all kept
 * versions are in each head, which a write replaces anyway (`kept_bytes`); players and the bytes of their states are in the row of the
 * project. There is no row until something is used.
 */
const usageTables = `
CREATE TABLE account_usage (
  account_id TEXT NOT NULL PRIMARY KEY,
  end_users INTEGER NOT NULL,
  storage_bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project_usage (
  project_id INTEGER PRIMARY KEY,
  end_users INTEGER NOT NULL,
  user_state_bytes INTEGER NOT NULL
) STRICT;
`;

/** Migration 9: the guests' part of each count. */
export const guestUsage = `
ALTER TABLE account_usage ADD COLUMN guests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_usage ADD COLUMN guest_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project_usage ADD COLUMN guests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project_usage ADD COLUMN guest_bytes INTEGER NOT NULL DEFAULT 0;
`;

/** States of players who were guests count as a player's. */
export const linkedGuests = `
ALTER TABLE user_states ADD COLUMN is_linked INTEGER NOT NULL DEFAULT 0;
`;

/** Tables for the work of the sweep, and for the writes that check readiness. */
const upkeepTables = `
CREATE TABLE orphans (
  orphan_number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('account', 'versions', 'end_users')),
  target INTEGER,
  account_id TEXT
) STRICT;
CREATE INDEX orphans_by_account ON orphans (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE readiness (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  probes INTEGER NOT NULL
) STRICT;
INSERT INTO readiness (id, probes) VALUES (1, 0);
`;

/** The tables that only this engine has in this form; the others are in storage/sql/schema/tables.ts. */
export const ownTables = [usageTables, publicStateTables, userStateTables, repeatTables, signInTables, upkeepTables].join(
  '',
);

/** Migration 20: a number that grows while the service writes, which shows whether the store went back (directory/mark.ts). */
export const heartbeat = `
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  beat INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat (id, beat) VALUES (1, 0);
`;
