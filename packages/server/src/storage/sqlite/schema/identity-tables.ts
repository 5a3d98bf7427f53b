/** The tables of sign-ins and users. */

/**
 * A row of `sign_ins` begins as an authorization code and becomes the refresh-token family that the code is spent for
 * (`family_id` is null until then; `secret_hash` is null once the family is revoked). So a code is known as spent exactly as
 * long as its family may live: the sweep deletes both at once. `sweep_at` is a time at which a row may have expired, and
 * never a later one. A refresh does not touch it; the sweep moves it when the family is still alive. Email and name are
 * removed from a row as soon as the code is spent.
 */
export const signInTables = `
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
CREATE INDEX sign_ins_by_developer ON sign_ins (subject) WHERE project_id IS NULL;
CREATE INDEX sign_ins_by_sweep ON sign_ins (sweep_at);
`;

/**
 * Users of the built-in identity provider belong to directories: `directory_number` is the number of an account, or 0, which
 * no account has, for the developers. `email_key` is null except for users with a password: only they are found by their
 * address.
 */
export const directoryTables = `
CREATE TABLE users (
  user_number INTEGER PRIMARY KEY,
  directory_number INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  email TEXT,
  email_key TEXT,
  name TEXT,
  password_hash TEXT,
  reset_at INTEGER,
  UNIQUE (directory_number, user_id)
) STRICT;
CREATE UNIQUE INDEX users_by_email ON users (directory_number, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX users_by_creation ON users (directory_number, created_at, user_id);

CREATE TABLE pending_sign_ups (
  sign_up_number INTEGER PRIMARY KEY,
  sign_up_hash BLOB NOT NULL UNIQUE,
  directory_number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts_left INTEGER NOT NULL,
  code_hash BLOB NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  name TEXT,
  password_hash TEXT NOT NULL
) STRICT;
CREATE INDEX pending_sign_ups_by_email ON pending_sign_ups (directory_number, email_key);
CREATE INDEX pending_sign_ups_by_expiry ON pending_sign_ups (expires_at);

CREATE TABLE password_resets (
  password_reset_number INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  directory_number INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  return_query TEXT NOT NULL
) STRICT;
CREATE INDEX password_resets_by_user ON password_resets (directory_number, user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

CREATE TABLE passkeys (
  passkey_number INTEGER PRIMARY KEY,
  directory_number INTEGER NOT NULL,
  credential_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  counter INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  transports TEXT NOT NULL,
  public_key BLOB NOT NULL,
  UNIQUE (directory_number, credential_id)
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (directory_number, user_id);

CREATE TABLE identity_providers (
  identity_provider_number INTEGER PRIMARY KEY,
  directory_number INTEGER NOT NULL,
  provider_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  settings TEXT NOT NULL,
  sealed_secret BLOB,
  UNIQUE (directory_number, provider_id)
) STRICT;

CREATE TABLE federated_identities (
  federated_identity_number INTEGER PRIMARY KEY,
  directory_number INTEGER NOT NULL,
  provider_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL,
  UNIQUE (directory_number, provider_id, issuer, subject)
) STRICT;
CREATE INDEX federated_identities_by_user ON federated_identities (directory_number, user_id);
`;
