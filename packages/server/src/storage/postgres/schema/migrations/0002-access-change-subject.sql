-- What a change of access is about, as JSON: an account, a project in it, an API key in that, or the signing keys of a purpose.
-- A row without it comes from the release before, which did not say: it is taken for a change of everything. Rows go after ten
-- minutes, also those about an account that is gone.
ALTER TABLE access_changes ADD COLUMN subject text;
