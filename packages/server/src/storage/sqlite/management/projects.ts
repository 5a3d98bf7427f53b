/** Finds a project for other reads. */

import type { ProjectKey } from '../../contract/projects.ts';
import { integerAt } from '../../rows/columns.ts';
import { noProject } from '../../rows/state-rows.ts';
import type { Reader } from '../reader.ts';

/** Returns what `read` finds in the project with this number, all of it at one moment. */
export function readInProject<Found>(
  reader: Reader,
  { accountId, slug }: ProjectKey,
  read: (projectId: number) => Found,
): Found | typeof noProject {
  return reader.snapshot(() => {
    // No row: no such project.
    const row = reader.get(
      'SELECT project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = ? AND slug = ?',
      accountId,
      slug,
    );
    return row === undefined ? noProject : read(integerAt(row, 'project_id'));
  });
}
