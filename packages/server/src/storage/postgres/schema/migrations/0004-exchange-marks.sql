-- A mark of each of the latest exchanges of a refresh token that had a key, 8 bytes each, newest first. Null until there was one.
-- Programs before this one leave it alone: a mark names the token that was exchanged, so an old one fits no later exchange.
ALTER TABLE refresh_families ADD COLUMN exchange_marks bytea;
