-- A number that grows every few seconds for each node. A node that gets a lower one than before sees that the database went back.
CREATE TABLE heartbeats (
  node_id uuid PRIMARY KEY,
  beat bigint NOT NULL,
  beaten_at timestamptz NOT NULL
);
