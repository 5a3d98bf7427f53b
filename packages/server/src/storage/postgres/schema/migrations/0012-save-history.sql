-- The earlier versions of saves. "author" is JSON, or null for the end user; it and the comment are those of the version
-- "history_version", so a node of the release before, which leaves them alone, is told apart. "history_bytes" is what the versions of the
-- record count with.
ALTER TABLE user_states ADD COLUMN author text;
ALTER TABLE user_states ADD COLUMN comment text;
ALTER TABLE user_states ADD COLUMN history_version bigint;
ALTER TABLE user_states ADD COLUMN history_bytes bigint NOT NULL DEFAULT 0;

-- Rows belong to the record and not to the end user: a node of the release before deletes the record only, and nothing leads to them then.
-- "environment" and "created_micros" lead from a row to its record.
CREATE TABLE user_state_versions (
  account_id text NOT NULL,
  project_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_micros bigint NOT NULL,
  environment smallint NOT NULL,
  form smallint NOT NULL,
  checksum integer NOT NULL,
  written_at bigint NOT NULL,
  replaced_at bigint NOT NULL,
  state_bytes bigint NOT NULL,
  author text,
  comment text,
  state text NOT NULL,
  PRIMARY KEY (account_id, project_id, record_id, version)
);
