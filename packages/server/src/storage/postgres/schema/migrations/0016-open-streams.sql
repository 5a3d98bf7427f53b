-- How many change streams each node has open, by project, until it says so again. Not logged: after a crash of the server it is told
-- anew within seconds.
CREATE UNLOGGED TABLE open_streams (
  account_id text NOT NULL,
  node_id uuid NOT NULL,
  slug text NOT NULL,
  public_streams bigint NOT NULL,
  user_streams bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (account_id, node_id, slug)
) WITH (fillfactor = 50);
CREATE INDEX open_streams_by_expiry ON open_streams (expires_at);
