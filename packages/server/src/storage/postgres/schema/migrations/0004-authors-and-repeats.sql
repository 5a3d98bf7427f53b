-- Who wrote a version, as JSON. Null where nobody knows it: in versions from before, and in those that a node of the release
-- before still writes.
ALTER TABLE public_state_versions ADD COLUMN author text;

-- "secret" or "publishable".
ALTER TABLE api_keys ADD COLUMN kind text NOT NULL DEFAULT 'secret';

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
