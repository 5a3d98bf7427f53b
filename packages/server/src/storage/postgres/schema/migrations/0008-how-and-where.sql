-- How somebody signed in (amr, in the words of RFC 8176), and from where the sign-in was last used. Null: not known, as in the rows of
-- programs before this one.
ALTER TABLE authorization_codes ADD COLUMN amr text;
ALTER TABLE refresh_families ADD COLUMN amr text;
ALTER TABLE refresh_families ADD COLUMN place text;
