/** The sign-in settings of projects. */
import { hash } from 'node:crypto';
import type { SignInSettings } from '@holdfast/contract';
import { projectChange } from '../../caches/access-changes.ts';
import { playerAuthName } from '../../caches/record-names.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { optionalTextAt } from '../../rows/columns.ts';
import { differing } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead } from '../verb.ts';
import { lockProject, projectTarget } from './projects.ts';

/** The settings; null if there are none, undefined if there is no such project. */
function* readSettings(_: Setting, { accountId, slug }: ProjectKey): Steps<string | null | undefined> {
  // No row: no such project. A row without `settings`: none were written.
  const row = yield* first(
    `SELECT settings FROM accounts JOIN projects USING (account_id) LEFT JOIN end_user_auth USING (account_id, slug)
     WHERE account_id = $1 AND slug = $2`,
    [accountId, slug],
  );
  return row && optionalTextAt(row, 'settings');
}

function* writeSettings(
  setting: Setting,
  key: ProjectKey,
  settingsText: string,
): Steps<WithAuditEntry<'written' | 'no_project'>> {
  if (!(yield* lockProject(key))) return unchanged('no_project');
  const before = yield* readSettings(setting, key);
  // One row, always.
  yield* all(
    `INSERT INTO end_user_auth (account_id, slug, settings) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, slug) DO UPDATE SET settings = excluded.settings`,
    [key.accountId, key.slug, settingsText],
  );
  const detail = differing(shown(before), shown(settingsText));
  return withAuditEntry('written', {
    action: 'sign_in_settings.update',
    target: `${projectTarget(key.slug)}/auth/end-user/config`,
    detail,
  });
}

/** The recorded form of settings: the logo is only identified. */
function shown(settingsText: string | null | undefined): Partial<SignInSettings> {
  const settings = JSON.parse(settingsText ?? '{}') as Partial<SignInSettings>;
  const { logoData, ...rest } = settings;
  return typeof logoData !== 'string' ? settings : { ...rest, logoData: `sha256:${hash('sha256', logoData).slice(0, 16)}` };
}

function* changeSettings(
  setting: Setting,
  key: ProjectKey,
  expectedText: string | null,
  settingsText: string,
): Steps<WithAuditEntry<'written' | 'superseded' | 'no_project'>> {
  // Settings cannot change while the project is locked.
  if (!(yield* lockProject(key))) return unchanged('no_project');
  if ((yield* readSettings(setting, key)) !== expectedText) return unchanged('superseded');
  return yield* writeSettings(setting, key, settingsText);
}

export const playerAuthVerbs = {
  /** The sign-in settings of a project as JSON text; null before they are first written, undefined if there is no such project. */
  readPlayerAuth: smallRead(readSettings, { remembers: playerAuthName }),
  /** An access change, because the settings define the clients. */
  writePlayerAuth: audited(writeSettings, ofItsAccount, {
    changes: playerAuthName,
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome === 'no_project',
  }),
  /** Does the same if the settings are still `expectedText` (null: never written), compared in the same step. */
  changePlayerAuth: audited(changeSettings, ofItsAccount, {
    changes: playerAuthName,
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome !== 'written',
  }),
};
