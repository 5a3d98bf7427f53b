/** The sign-in settings of projects. */
import { projectChange } from '../../access-changes.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';

type EndUserAuth = Pick<SignInStore, 'readEndUserAuth' | 'writeEndUserAuth' | 'changeEndUserAuth'>;

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
    changeEndUserAuth: ({ accountId, slug }, expectedText, settingsText) =>
      access.change(
        projectChange({ accountId, slug }),
        (query) => change(query, accountId, slug, expectedText, settingsText),
        (outcome) => outcome !== 'written',
        'read committed',
      ),
  };
}

async function change(
  query: Query,
  accountId: string,
  slug: string,
  expectedText: string | null,
  settingsText: string,
): Promise<'written' | 'superseded' | 'no_project'> {
  // The row of the project is held, so that nobody writes its first settings meanwhile. No row: no such project.
  const [project] = await query(
    `SELECT project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2 FOR UPDATE OF projects`,
    [accountId, slug],
  );
  if (project === undefined) return 'no_project';
  // No row: the settings are others by now.
  const written = await query(
    expectedText === null
      ? `INSERT INTO end_user_auth (account_id, project_id, settings) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, project_id) DO NOTHING RETURNING project_id`
      : `UPDATE end_user_auth SET settings = $3 WHERE account_id = $1 AND project_id = $2 AND settings = $4 RETURNING project_id`,
    [accountId, project.project_id as string, settingsText, ...(expectedText === null ? [] : [expectedText])],
  );
  return written.length === 0 ? 'superseded' : 'written';
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
