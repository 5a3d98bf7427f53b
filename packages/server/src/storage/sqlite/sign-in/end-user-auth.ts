/** The end-user sign-in settings of projects. */
import type { DatabaseSync } from 'node:sqlite';
import { projectChange } from '../../access-changes.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { ProjectKey, ReadOutcome } from '../../store.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { endUserAuthName, type TextRecord } from '../record-cache.ts';
import type { Commands } from '../writer/commands.ts';

type EndUserAuth = Pick<SignInStore, 'readEndUserAuth' | 'writeEndUserAuth' | 'changeEndUserAuth'>;

/** Returns the methods of the store that keep sign-in settings. */
export function createEndUserAuth({
  cache,
  changeAccess,
  reader,
}: Pick<Parts, 'cache' | 'changeAccess' | 'reader'>): EndUserAuth {
  return {
    readEndUserAuth(key) {
      const name = endUserAuthName(key);
      let outcome = cache.state(name);
      if (outcome === undefined) {
        outcome = readEndUserAuth(reader, key);
        if (outcome.kind === 'no_project') return undefined;
        cache.keepState(name, key, outcome);
      }
      return outcome.kind === 'present' ? outcome.record.stateText : null;
    },
    writeEndUserAuth(key, settingsText) {
      const { accountId, slug } = key;
      const effect = { changes: endUserAuthName(key), takes: projectChange(key) };
      return changeAccess(effect, 'writeEndUserAuth', accountId, slug, settingsText);
    },
    changeEndUserAuth(key, expectedText, settingsText) {
      const { accountId, slug } = key;
      const effect = { changes: endUserAuthName(key), takes: projectChange(key) };
      return changeAccess(effect, 'changeEndUserAuth', accountId, slug, expectedText, settingsText);
    },
  };
}

/** The settings as text, in the shape of other records that are kept in memory. */
function readEndUserAuth(reader: Reader, { accountId, slug }: ProjectKey): ReadOutcome<TextRecord> {
  // No row: no such project. A row without `settings`: none were written.
  const row = reader.get(
    `SELECT settings FROM accounts JOIN projects USING (account_number) LEFT JOIN end_user_auth USING (project_id)
     WHERE account_id = ? AND slug = ?`,
    accountId,
    slug,
  );
  if (row === undefined) return { kind: 'no_project' };
  return row.settings === null ? { kind: 'absent' } : { kind: 'present', record: { stateText: row.settings as string } };
}

/** The writes of sign-in settings, on the writer thread. */
export function endUserAuthWrites(database: DatabaseSync): Pick<Commands, 'writeEndUserAuth' | 'changeEndUserAuth'> {
  // No change: no such project.
  const put = statement(
    database,
    `INSERT INTO end_user_auth (project_id, settings)
     SELECT project_id, ?3 FROM accounts JOIN projects USING (account_number) WHERE account_id = ?1 AND slug = ?2
     ON CONFLICT DO UPDATE SET settings = excluded.settings`,
  );
  // No row: no such project. A row without `settings`: none were written.
  const read = statement(
    database,
    `SELECT settings FROM accounts JOIN projects USING (account_number) LEFT JOIN end_user_auth USING (project_id)
     WHERE account_id = ? AND slug = ?`,
  );
  const write: Commands['writeEndUserAuth'] = (accountId, slug, settingsText) =>
    put.changes(accountId, slug, settingsText) === 0 ? 'no_project' : 'written';
  return {
    writeEndUserAuth: write,
    changeEndUserAuth(accountId, slug, expectedText, settingsText) {
      const row = read.get(accountId, slug);
      if (row === undefined) return 'no_project';
      return row.settings === expectedText ? write(accountId, slug, settingsText) : 'superseded';
    },
  };
}
