/** The tables of state. */

/** SQL: whether a version of public state is indexed. A query uses the index only if it says this too. */
export const isMilestone = 'version % 64 = 0';

/**
 * A version of public state is appended and never changed. Each points to the one before it (`previous_id`). `public_state_heads` has one
 * small row per project and environment: the last version number, and the row of the newest version (null: nothing stored; then `version`
 * is the floor left by a deleted project with the same key). `head_key` is project_id * 4 + environment; environments are 0 development, 1
 * staging, 2 production.
 *
 * Why not one index over (project_id, environment, version): every write would then change a different index page, because the newest
 * entries of projects are far apart. Measured with 64 projects, 2 KB states, 32 writes to a commit, pages of 8 KiB, on one core: 21 µs of
 * processor time a write with that index, 12 µs with heads and a chain. Only every 64th version is indexed, which finds any version in at
 * most 63 short steps along the chain.
 *
 * The state is the last column, so that the history of a document is read without the pages that its states overflow into. It is the whole
 * text if `depth` is 0, and edits otherwise (history/versions.ts). `author` is JSON, or null if unknown.
 */
export const publicStateTables = `
CREATE TABLE public_state_heads (
  head_key INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  newest_id INTEGER,
  kept_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE public_state_versions (
  id INTEGER PRIMARY KEY,
  previous_id INTEGER,
  project_id INTEGER NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  author TEXT,
  comment TEXT,
  state TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX public_state_milestones ON public_state_versions (project_id, environment, version)
  WHERE ${isMilestone};
`;

/**
 * The state of a player is one row that is replaced in place. Its `sequence` is the order of creation, which pages use: no update of a
 * record touches an index. The text is the last column, so a reader that does not need it does not read the pages that it overflows into.
 *
 * Versions of user state continue above those of deleted records, and nothing that identifies a player is kept for that. `end_user_floors`
 * holds the highest deleted version of all players of one bucket: 12 bits of a keyed hash of the id, which 1 of 4,096 ids share.
 * `user_versions` holds, for a whole environment, the floor left by a deleted project with the same key, and a ceiling that no version has
 * exceeded: it becomes the floor when this project is deleted, so a deletion need not look through a million records. The ceiling rises in
 * steps that double, so it is rarely written.
 */
export const userStateTables = `
CREATE TABLE user_states (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
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

CREATE TABLE bucket_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret BLOB NOT NULL
) STRICT;
INSERT INTO bucket_key (id, secret) VALUES (1, randomblob(32));
`;

/**
 * A row of `write_repeats` is a write that can be repeated. `scope` and `repeat_key` are halves of hashes: of the document, and of the
 * client's key together with its identity; `request` is half of a hash of the request. `slot` is the version modulo 10,000, so each
 * document has at most that many rows, and the oldest are replaced. Rows are never updated: a new one has a higher number, and the sweep
 * begins with the lowest.
 */
export const repeatTables = `
CREATE TABLE write_repeats (
  repeat_number INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  scope BLOB NOT NULL,
  slot INTEGER NOT NULL,
  repeat_key BLOB NOT NULL,
  request BLOB NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX write_repeats_by_slot ON write_repeats (account_id, scope, slot);
CREATE UNIQUE INDEX write_repeats_by_key ON write_repeats (account_id, scope, repeat_key);
`;

/**
 * Migration 11: the order in which players are found by their ids, without case (sql/players/player-keys.ts), and when a state was created; null
 * for older ones.
 */
export const playerIds = `
CREATE INDEX user_states_by_key ON user_states (project_id, lower(end_user_id), end_user_id);
ALTER TABLE user_states ADD COLUMN created_at INTEGER;
`;

/**
 * Migration 12: the earlier versions of user states (history/user-state-versions.ts). `author` is JSON, or null for the player; it and the
 * comment are those of the version `history_version`, which reveals a write by an older program that does not change them. `history_bytes`
 * are the counted bytes of the record's versions. They are stored together by record, in the order in which the oldest are dropped.
 */
export const userStateHistory = `
ALTER TABLE user_states ADD COLUMN author TEXT;
ALTER TABLE user_states ADD COLUMN comment TEXT;
ALTER TABLE user_states ADD COLUMN history_version INTEGER;
ALTER TABLE user_states ADD COLUMN history_bytes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE user_state_versions (
  record_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  form INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  author TEXT,
  comment TEXT,
  state TEXT NOT NULL,
  PRIMARY KEY (record_id, version)
) STRICT, WITHOUT ROWID;
`;
