-- The epoch of the player when a family began. A family of a program before this one has none, 0.
ALTER TABLE refresh_families ADD COLUMN player_epoch bigint NOT NULL DEFAULT 0;
-- When a state was created; null in the rows of programs before this one. "created_micros" orders pages, and a copy makes it anew.
ALTER TABLE user_states ADD COLUMN created_at bigint;
