/** All authorization codes and refresh-token families of one user. */

import { isWeakOfDeveloperSql } from '../../../access/account-status.ts';
import { sessionsMax } from '../../contract/sessions.ts';
import { encodeText, environmentNumbers, type Row } from '../../rows/rows.ts';
import { developersDirectory } from '../../sql/directories.ts';
import { all, type Steps, type Value } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';

/** Rows that one slice of an account removes. */
const removedMax = 500;

export const userSignIns = {
  *removeSignIns(directoryId, userId) {
    const { isOfUser, values } = conditionOf(directoryId, userId);
    // Any number of rows.
    return familiesOf(yield* all(`DELETE FROM sign_ins WHERE ${isOfUser} RETURNING family_id, account_id`, values));
  },
  *removeSomeSignIns(accountId) {
    // A row for each.
    const sql = `
      DELETE FROM sign_ins WHERE sign_in_number IN (
        SELECT sign_in_number FROM sign_ins WHERE project_id IS NULL AND account_id = $1
        UNION ALL SELECT sign_in_number FROM projects JOIN sign_ins ON sign_ins.project_id = projects.project_id
        WHERE projects.account_id = $1 LIMIT ${removedMax}) RETURNING 1`;
    return (yield* all(sql, [accountId])).length;
  },
  *removeSignInsOfMember(accountId, subject) {
    // Any number of rows.
    const sql = `
      DELETE FROM sign_ins WHERE subject = $1 AND project_id IS NULL AND account_id = $2 RETURNING family_id, account_id`;
    return familiesOf(yield* all(sql, [encodeText(subject), accountId]));
  },
  *removeSignInsOfPlayer({ projectId, playerId }, environment = null) {
    // A row for each code and family.
    const sql = `DELETE FROM sign_ins WHERE project_id = $1 AND subject = $2 AND ($3 IS NULL OR environment = $3) RETURNING 1`;
    return (yield* all(sql, [projectId, encodeText(playerId), environment && environmentNumbers[environment]])).length;
  },
  *endSignIns(directoryId, userId) {
    const { isOfUser, values } = conditionOf(directoryId, userId);
    return yield* end(isOfUser, values);
  },
  *endSignInsOfPlayer({ accountId, slug, environment }, playerId) {
    const values = [encodeText(playerId), accountId, slug, environment && environmentNumbers[environment]];
    // Any number of rows each.
    yield* all(`DELETE FROM sign_ins WHERE ${isOfPlayer} AND family_id IS NULL`, values);
    yield* all(
      `UPDATE sign_ins SET secret_hash = NULL, previous_secret_hash = NULL WHERE ${isOfPlayer} AND secret_hash IS NOT NULL`,
      values,
    );
  },
  endWeakSignIns: (accountId) => end(isWeakOfDeveloperSql, [accountId]),
  *listSignIns(directoryId, userId, now) {
    const { isOfUser, values } = conditionOf(directoryId, userId);
    // A row for each family, at most so many.
    return yield* all(
      `SELECT family_id, account_id, sign_ins.created_at, replaced_at, place, amr,
         (SELECT name FROM projects WHERE projects.project_id = sign_ins.project_id) AS project_name, environment
       FROM sign_ins WHERE ${isOfUser} AND secret_hash IS NOT NULL
         AND min(idle_expires_at, absolute_expires_at) > $${values.length + 1}
       ORDER BY coalesce(replaced_at, created_at) DESC LIMIT ${sessionsMax}`,
      [...values, now],
    );
  },
} satisfies Partial<EngineSql>;

/** A row without a family is an unspent code. */
const familiesOf = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => row.family_id !== null);

/** Any number of rows each. A spent code and its family share a row (sign-in-tables.ts). */
function* end(condition: string, values: readonly Value[]): Steps<readonly Row[]> {
  yield* all(`DELETE FROM sign_ins WHERE ${condition} AND family_id IS NULL`, values);
  return yield* all(
    `UPDATE sign_ins SET secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at
     WHERE ${condition} AND secret_hash IS NOT NULL RETURNING family_id, account_id`,
    values,
  );
}

const isOfPlayer = `
  subject = $1 AND project_id IN (SELECT project_id FROM projects WHERE account_id = $2 AND ($3 IS NULL OR slug = $3))
  AND ($4 IS NULL OR environment = $4)`;

/** Sign-ins of the user, and of the player as whom the user signs in. */
const ofPlayerUser = `
  subject IN ($2, (SELECT player_id FROM player_links WHERE account_id = $1 AND player_links.subject = $2))
  AND project_id IN (SELECT project_id FROM projects WHERE account_id = $1)`;
const ofDeveloper = 'subject = $1 AND project_id IS NULL';

function conditionOf(
  directoryId: string,
  userId: string,
): { readonly isOfUser: string; readonly values: readonly Value[] } {
  const subject = encodeText(userId);
  return directoryId === developersDirectory
    ? { isOfUser: ofDeveloper, values: [subject] }
    : { isOfUser: ofPlayerUser, values: [directoryId, subject] };
}
