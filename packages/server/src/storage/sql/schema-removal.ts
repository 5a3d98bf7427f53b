/** Removes schemas with their project. */
import type { ProjectKey } from '../contract/management-store.ts';
import { all, type Steps } from './steps.ts';

/** Removes the schemas of a project that is being deleted; those of the next project with its name continue above their versions. */
export function* removeSchemas({ accountId, slug }: ProjectKey): Steps<void> {
  // One row for each environment that had a schema.
  yield* all(
    `INSERT INTO version_floors (account_id, slug, environment, version, user_version, schema_version)
     SELECT account_id, slug, environment, 0, 0, max(version) FROM shapes WHERE account_id = $1 AND slug = $2
     GROUP BY account_id, slug, environment
     ON CONFLICT (account_id, slug, environment) DO UPDATE SET schema_version = excluded.schema_version`,
    [accountId, slug],
  );
  // One row, always.
  yield* all(
    `UPDATE accounts SET schema_bytes = schema_bytes
       - (SELECT coalesce(sum(bytes), 0) FROM shapes WHERE shapes.account_id = $1 AND shapes.slug = $2)
     WHERE account_id = $1`,
    [accountId, slug],
  );
}
