/** How other statements find a project. */
import type { ProjectKey } from '../../management-store.ts';
import type { Reader } from '../reader.ts';

/** Returns the number of a project, within the caller's snapshot. */
export function findProjectId(reader: Reader, { accountId, slug }: ProjectKey): number | undefined {
  // No row: no such project.
  const row = reader.get(
    'SELECT project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = ? AND slug = ?',
    accountId,
    slug,
  );
  return row?.project_id as number | undefined;
}
