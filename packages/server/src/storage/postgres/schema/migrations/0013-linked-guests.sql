-- States of players who have been guests are counted with those of everybody else. A change of the links of players raises "endings" of
-- the buckets that first states of those players have to pass: whoever has waited there looks again.
ALTER TABLE user_states ADD COLUMN is_linked smallint NOT NULL DEFAULT 0;
ALTER TABLE end_user_floors ADD COLUMN endings bigint NOT NULL DEFAULT 0;
