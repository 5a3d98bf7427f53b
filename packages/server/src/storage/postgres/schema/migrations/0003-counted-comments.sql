-- What the comment of a version counts with in the bytes that its account stores (`kept_bytes`). Null: no comment, or a version of
-- the release before, which counted no comments, also while it runs beside this one.
ALTER TABLE public_state_versions ADD COLUMN comment_bytes integer;
