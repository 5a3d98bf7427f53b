-- The webhooks that each have a change of this document waiting, which takes in what comes; null: unknown.
ALTER TABLE environments ADD COLUMN collecting text;
