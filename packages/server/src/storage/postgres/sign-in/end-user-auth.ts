/** The sign-in settings of projects. */
import { projectChange } from '../../access-changes.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';

type EndUserAuth = Pick<SignInStore, 'readEndUserAuth' | 'writeEndUserAuth'>;

/** Returns the methods of the store that keep the sign-in settings of projects. */
export function createEndUserAuth({ database, access }: Pick<Parts, 'database' | 'access'>): EndUserAuth {
  return {
    async readEndUserAuth({ accountId, slug }) {
      // No row: no such project. A row without `settings`: none were written.
      const [row] = await database.query(
        `SELECT settings FROM accounts JOIN projects USING (account_id) LEFT JOIN end_user_auth USING (account_id, project_id)
         WHERE account_id = $1 AND slug = $2`,
        [accountId, slug],
      );
      return row && (row.settings as string | null);
    },
    writeEndUserAuth: ({ accountId, slug }, settingsText) =>
      access.change(
        projectChange({ accountId, slug }),
        (query) => write(query, accountId, slug, settingsText),
        (outcome) => outcome === 'no_project',
        'read committed',
      ),
  };
}

async function write(
  query: Query,
  accountId: string,
  slug: string,
  settingsText: string,
): Promise<'written' | 'no_project'> {
  // No row: no such project.
  const written = await query(
    `INSERT INTO end_user_auth (account_id, project_id, settings)
     SELECT account_id, project_id, $3 FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2
     ON CONFLICT (account_id, project_id) DO UPDATE SET settings = excluded.settings
     RETURNING project_id`,
    [accountId, slug, settingsText],
  );
  return written.length === 0 ? 'no_project' : 'written';
}
