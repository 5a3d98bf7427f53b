/** The sign-in settings of projects. */
import { projectChange } from '../access-changes.ts';
import { optionalTextAt } from '../columns.ts';
import type { ProjectKey } from '../management-store.ts';
import { endUserAuthName } from '../record-names.ts';
import { holdProject } from './projects.ts';
import { all, first, type Steps } from './steps.ts';
import { read, type Setting, write } from './verb.ts';

/** The settings; null when there are none, undefined when there is no such project. */
function* readSettings(_: Setting, { accountId, slug }: ProjectKey): Steps<string | null | undefined> {
  // No row: no such project. A row without `settings`: none were written.
  const row = yield* first(
    `SELECT settings FROM accounts JOIN projects USING (account_id) LEFT JOIN end_user_auth USING (account_id, slug)
     WHERE account_id = $1 AND slug = $2`,
    [accountId, slug],
  );
  return row && optionalTextAt(row, 'settings');
}

function* writeSettings(_: Setting, key: ProjectKey, settingsText: string): Steps<'written' | 'no_project'> {
  if (!(yield* holdProject(key))) return 'no_project';
  // One row, always.
  yield* all(
    `INSERT INTO end_user_auth (account_id, slug, settings) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, slug) DO UPDATE SET settings = excluded.settings`,
    [key.accountId, key.slug, settingsText],
  );
  return 'written';
}

function* changeSettings(
  setting: Setting,
  key: ProjectKey,
  expectedText: string | null,
  settingsText: string,
): Steps<'written' | 'superseded' | 'no_project'> {
  // Nobody else writes settings while the project is held.
  if (!(yield* holdProject(key))) return 'no_project';
  if ((yield* readSettings(setting, key)) !== expectedText) return 'superseded';
  return yield* writeSettings(setting, key, settingsText);
}

export const endUserAuthVerbs = {
  readEndUserAuth: read(readSettings, { remembers: endUserAuthName }),
  writeEndUserAuth: write(writeSettings, {
    changes: endUserAuthName,
    takes: projectChange,
    isWithoutEffect: (outcome) => outcome === 'no_project',
  }),
  changeEndUserAuth: write(changeSettings, {
    changes: endUserAuthName,
    takes: projectChange,
    isWithoutEffect: (outcome) => outcome !== 'written',
  }),
};
