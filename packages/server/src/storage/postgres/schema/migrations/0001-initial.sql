-- What every statement of this schema keeps to, so that the same file serves PostgreSQL and engines that speak its protocol:
--
-- Every primary key begins with the account id, or is itself random: the hash of a key, code or token, or a random id. So any
-- table can be spread over machines by its first column, and no two accounts ever wait for each other. There are no sequences,
-- triggers, foreign keys, advisory locks or notifications.
--
-- A project has a random id beside its slug, and what lies in it carries that id. Deleting the few rows that lead to a project
-- therefore puts everything in it out of reach at once, whatever its size; "orphans" lists what is still to be cleared away.
--
-- Texts that people chose are stored as JSON strings, since UTF-8 has no place for the lone surrogates that those may hold.
-- Times are milliseconds since the epoch, and environments are 0 development, 1 staging, 2 production.

-- One small row for each environment of a project, made and deleted with it: every read and write of state begins here.
-- "version" is the number of the newest version of public state, or, while there is none ("is_present"), the floor that a
-- deleted project of the same name has left. "kept_bytes" is what all versions together take.
--
-- No version of user state has ever been above "user_version_ceiling", which is the floor that a deletion of this project
-- leaves, so that nobody has to look through a million records then; it doubles whenever it is reached, thus is seldom
-- written. Every new record starts above "user_version_floor".
CREATE TABLE environments (
  account_id text NOT NULL,
  slug text NOT NULL,
  environment smallint NOT NULL,
  project_id uuid NOT NULL,
  version bigint NOT NULL,
  is_present boolean NOT NULL,
  kept_bytes bigint NOT NULL,
  user_version_floor bigint NOT NULL,
  user_version_ceiling bigint NOT NULL,
  PRIMARY KEY (account_id, slug, environment)
) WITH (fillfactor = 50);

-- The history of public state is appended to and never touched again. "author" is who wrote a version, as JSON, or null where
-- nobody knows it; "comment_bytes" is what its comment counts with in "kept_bytes", null without one.
CREATE TABLE public_state_versions (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  environment smallint NOT NULL,
  version bigint NOT NULL,
  written_at bigint NOT NULL,
  state_bytes bigint NOT NULL,
  depth smallint NOT NULL,
  checksum integer NOT NULL,
  author text,
  comment text,
  comment_bytes integer,
  state text NOT NULL,
  PRIMARY KEY (account_id, project_id, environment, version)
);

-- Writes that can be repeated. "scope" and "repeat_key" are halves of hashes: of the document, and of the key that the client
-- gave together with who it is; "request" is one of what was asked for. "slot" is the version modulo 10,000, so that each
-- document has so many rows at most, and the oldest make room.
CREATE TABLE write_repeats (
  account_id text NOT NULL,
  scope bytea NOT NULL,
  slot smallint NOT NULL,
  repeat_key bytea NOT NULL,
  request bytea NOT NULL,
  version bigint NOT NULL,
  written_at bigint NOT NULL,
  PRIMARY KEY (account_id, scope, slot)
);
CREATE UNIQUE INDEX write_repeats_by_key ON write_repeats (account_id, scope, repeat_key);
CREATE INDEX write_repeats_by_time ON write_repeats (written_at);

-- The state of an end user in one environment is one row that is replaced in place; no index holds what a write changes.
-- "created_micros" is the database's clock at its creation and what pages go by, together with "record_id". "grown_bytes" is
-- by how much the last write made it longer: a statement that replaces a row can tell its caller the new row only.
CREATE TABLE user_states (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  environment smallint NOT NULL,
  end_user_id text NOT NULL,
  record_id uuid NOT NULL,
  created_micros bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL,
  state_bytes bigint NOT NULL,
  grown_bytes bigint NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (account_id, project_id, end_user_id, environment)
) WITH (fillfactor = 70);
CREATE INDEX user_states_by_creation ON user_states (account_id, project_id, environment, created_micros, record_id);

-- An end user with state, in which environments (one bit each). Creations and the deletion of one end user meet at this row.
CREATE TABLE end_users (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  end_user_id text NOT NULL,
  environments smallint NOT NULL,
  PRIMARY KEY (account_id, project_id, end_user_id)
);

-- How many end users a project has and how many bytes their states take, in 16 parts, so that writes of different end users
-- seldom wait for the same row.
CREATE TABLE user_usage (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  part smallint NOT NULL,
  end_users bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, project_id, part)
) WITH (fillfactor = 20);

-- The highest version deleted among all end users of one bucket: 12 bits of a keyed hash of the id, which 1 of 4,096 of all
-- ids share, so that nothing of a deleted end user is kept.
CREATE TABLE end_user_floors (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  environment smallint NOT NULL,
  bucket smallint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (account_id, project_id, environment, bucket)
);

-- A spent code is kept as long as the family that it paid for ("family_id"), without email and name. Codes and families of
-- developers have no project. Only what is unspent is found by time or by subject: a spent code goes with its family.
CREATE TABLE authorization_codes (
  code_hash bytea PRIMARY KEY,
  account_id text NOT NULL,
  slug text,
  project_id uuid,
  environment smallint,
  client_id text NOT NULL,
  subject text NOT NULL,
  scope text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  expires_at bigint NOT NULL,
  email text,
  name text,
  family_id text
);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at) WHERE family_id IS NULL;
CREATE INDEX authorization_codes_by_subject ON authorization_codes (account_id, project_id, subject) WHERE family_id IS NULL;
CREATE INDEX authorization_codes_of_developers ON authorization_codes (subject)
  WHERE family_id IS NULL AND project_id IS NULL;

-- "secret_hash" is null once the family is revoked. "code_hash" is the code that was spent for it. "sweep_at" is a time at which
-- a family may have become useless, never later than it does: a refresh does not touch it, so no index holds what a refresh
-- changes; the sweep moves it when it finds the family alive.
CREATE TABLE refresh_families (
  family_id text PRIMARY KEY,
  account_id text NOT NULL,
  slug text,
  project_id uuid,
  environment smallint,
  client_id text NOT NULL,
  subject text NOT NULL,
  scope text NOT NULL,
  created_at bigint NOT NULL,
  idle_expires_at bigint NOT NULL,
  absolute_expires_at bigint NOT NULL,
  secret_hash bytea,
  previous_secret_hash bytea,
  replaced_at bigint,
  code_hash bytea NOT NULL,
  code_expires_at bigint NOT NULL,
  sweep_at bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX refresh_families_by_subject ON refresh_families (account_id, project_id, subject);
CREATE INDEX refresh_families_of_developers ON refresh_families (subject) WHERE project_id IS NULL;
CREATE INDEX refresh_families_by_sweep ON refresh_families (sweep_at);

-- How much of a limit was granted to nodes in one window, and how much of that the last time. Not logged: a share is asked for
-- on the way to an answer, and must not wait for the disk. After a crash of the server limits begin anew.
CREATE UNLOGGED TABLE rate_windows (
  window_hash bytea PRIMARY KEY,
  ends_at bigint NOT NULL,
  granted bigint NOT NULL,
  last_granted bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX rate_windows_by_end ON rate_windows (ends_at);

-- One row for each change of what authorises, which every node looks for several times a second. Rows are found by time, with
-- an overlap as long as a transaction may take, and told apart by their random ids: so none is missed, whatever the order in
-- which they are committed, and no two changes wait for each other. "changed_at" is the database's clock, and "subject" what the
-- change is about, as JSON: an account, a project in it, an API key in that, or the signing keys of a purpose.
CREATE TABLE access_changes (
  change_id uuid PRIMARY KEY,
  changed_at timestamptz NOT NULL,
  subject text NOT NULL
);
CREATE INDEX access_changes_by_time ON access_changes (changed_at);

-- What deletions have left. Nothing is cleared away before "due_at": by then every statement has ended that had begun before
-- the deletion.
CREATE TABLE orphans (
  account_id text NOT NULL,
  orphan_id uuid NOT NULL,
  project_id uuid,
  due_at bigint NOT NULL,
  PRIMARY KEY (account_id, orphan_id)
);
CREATE INDEX orphans_by_due ON orphans (due_at);

-- A row for each node to write to when somebody asks whether writes work.
CREATE TABLE readiness_probes (
  node_id uuid PRIMARY KEY,
  probed_at bigint NOT NULL
);

-- The one row that belongs to the installation as a whole, written when it is made.
CREATE TABLE installation (
  id smallint PRIMARY KEY,
  bucket_secret bytea NOT NULL
);

-- How far a copy of another store into this database has come. There is a row only while it is not complete, and as long no
-- node opens the database.
CREATE TABLE incoming_copy (
  id smallint PRIMARY KEY,
  source text NOT NULL,
  kind text NOT NULL,
  reached text,
  records bigint NOT NULL
);
