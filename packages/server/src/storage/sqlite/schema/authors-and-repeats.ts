/**
 * Migration 3: who wrote a version, which writes can be repeated, and kinds of API keys.
 *
 * Versions are copied into a new table, and not given a column more: a new column would lie behind the state, and whoever reads it
 * would read all the pages that the state overflows into. In front of the state, the history of a document is read without its
 * documents. `author` is JSON, or null where it is unknown: in versions from before this migration.
 *
 * A row of `write_repeats` is a write that can be repeated. `scope` and `repeat_key` are halves of hashes: of the document, and of the
 * key that the client gave together with who it is; `request` is one of what was asked for. `slot` is the version modulo 10,000, so
 * that each document has so many rows at most, and the oldest make room. Rows are never updated: a new one has a higher number, and the
 * sweep begins with the lowest.
 */
export const authorsAndRepeats = `
ALTER TABLE public_state_versions RENAME TO versions_without_authors;

CREATE TABLE public_state_versions (
  id INTEGER PRIMARY KEY,
  previous_id INTEGER,
  project_id INTEGER NOT NULL,
  environment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  author TEXT,
  comment TEXT,
  state TEXT NOT NULL
) STRICT;
INSERT INTO public_state_versions
  (id, previous_id, project_id, environment, version, written_at, state_bytes, author, comment, state)
SELECT id, previous_id, project_id, environment, version, written_at, state_bytes, NULL, comment, state
FROM versions_without_authors ORDER BY id;
DROP TABLE versions_without_authors;
CREATE UNIQUE INDEX public_state_milestones ON public_state_versions (project_id, environment, version)
  WHERE version % 64 = 0;

CREATE TABLE write_repeats (
  repeat_number INTEGER PRIMARY KEY,
  account_number INTEGER NOT NULL,
  scope BLOB NOT NULL,
  slot INTEGER NOT NULL,
  repeat_key BLOB NOT NULL,
  request BLOB NOT NULL,
  version INTEGER NOT NULL,
  written_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX write_repeats_by_slot ON write_repeats (account_number, scope, slot);
CREATE UNIQUE INDEX write_repeats_by_key ON write_repeats (account_number, scope, repeat_key);

ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'secret';
`;
