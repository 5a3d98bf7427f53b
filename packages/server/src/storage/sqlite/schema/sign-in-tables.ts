/** The tables of sign-ins. */

/**
 * A row of `sign_ins` begins as an authorization code and becomes the refresh-token family that the code is spent for (`family_id` is null
 * until then; `secret_hash` is null once the family is revoked). A code is therefore known as spent exactly as long as its family may live:
 * the sweep deletes both together. `sweep_at` is a time at which a row may have expired, never a later one. A refresh does not change it;
 * the sweep moves it if the family is still alive. Email and name are removed from a row as soon as the code is spent.
 */
export const signInTables = `
CREATE TABLE sign_ins (
  sign_in_number INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
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
CREATE INDEX sign_ins_of_developers ON sign_ins (account_id) WHERE project_id IS NULL;
CREATE INDEX sign_ins_by_developer ON sign_ins (subject) WHERE project_id IS NULL;
CREATE INDEX sign_ins_by_sweep ON sign_ins (sweep_at);
`;

/**
 * Migration 4: a mark of each of the latest exchanges of a refresh token with a key, 8 bytes each, newest first. Null until there is one.
 */
export const exchangeMarks = 'ALTER TABLE sign_ins ADD COLUMN exchange_marks BLOB;\n';

/** Migration 8: how somebody signed in (`amr`, as in RFC 8176), and where the sign-in was last used. Null: unknown. */
export const howAndWhere = 'ALTER TABLE sign_ins ADD COLUMN amr TEXT;\nALTER TABLE sign_ins ADD COLUMN place TEXT;\n';

/** Migration 11: the epoch of the player when a family began (player-tables.ts). */
export const familyEpochs = 'ALTER TABLE sign_ins ADD COLUMN player_epoch INTEGER NOT NULL DEFAULT 0;\n';
