/** All authorization codes and refresh-token families of one user. */

import { isWeakOfDeveloperSql } from '../../../access/account-status.ts';
import { sessionsMax } from '../../contract/sessions.ts';
import { encodeText, environmentNumbers } from '../../rows/rows.ts';
import { developersDirectory } from '../../sql/directories.ts';
import { all, type Value } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';
import { accountSignInSlices, familyEndsAt, familyIsRevoked, removeFamilies } from './sign-in-statements.ts';

/** Some of the codes and families of an account. */
const slicesOfAccount = accountSignInSlices(500);

export const userSignIns = {
  *removeSignIns(directoryId, userId) {
    const { deleteCodes, deleteFamilies, values } = statementsOf(directoryId, userId);
    yield* all(deleteCodes, values);
    return yield* all(deleteFamilies, values);
  },
  *removeSomeSignIns(accountId) {
    let removed = 0;
    for (const sql of slicesOfAccount) removed += (yield* all(sql, [accountId])).length;
    return removed;
  },
  *removeSignInsOfMember(accountId, subject) {
    const values = [accountId, encodeText(subject)];
    yield* all(ofMember.deleteCodes, values);
    return yield* all(ofMember.deleteFamilies, values);
  },
  *removeSignInsOfPlayer({ accountId, projectId, playerId }, environment = null) {
    const { deleteCodes, deleteFamilies } = ofPlayerInProject;
    const values = [accountId, projectId, encodeText(playerId), environment && environmentNumbers[environment]];
    return (yield* all(deleteCodes, values)).length + (yield* all(deleteFamilies, values)).length;
  },
  *endSignIns(directoryId, userId) {
    const { deleteCodes, revokeFamilies, values } = statementsOf(directoryId, userId);
    yield* all(deleteCodes, values);
    return yield* all(revokeFamilies, values);
  },
  *endSignInsOfPlayer({ accountId, slug, environment }, playerId) {
    const values = [accountId, slug, encodeText(playerId), environment && environmentNumbers[environment]];
    yield* all(ofPlayer.deleteCodes, values);
    // Any number of rows.
    yield* all(
      `UPDATE refresh_families SET secret_hash = NULL, previous_secret_hash = NULL
       WHERE ${ofPlayer.condition} AND secret_hash IS NOT NULL`,
      values,
    );
  },
  *endWeakSignIns(accountId) {
    yield* all(weakOfDevelopers.deleteCodes, [accountId]);
    return yield* all(weakOfDevelopers.revokeFamilies, [accountId]);
  },
  *listSignIns(directoryId, userId, now) {
    const { condition, values } = statementsOf(directoryId, userId);
    // A row for each family, at most so many.
    return yield* all(
      `SELECT family_id, account_id, created_at, replaced_at, place, amr, environment,
         (SELECT name FROM projects WHERE projects.account_id = refresh_families.account_id
            AND projects.project_id = refresh_families.project_id) AS project_name
       FROM refresh_families WHERE ${condition} AND secret_hash IS NOT NULL AND ${familyEndsAt} > $${values.length + 1}
       ORDER BY coalesce(replaced_at, created_at) DESC LIMIT ${sessionsMax}`,
      [...values, now],
    );
  },
} satisfies Partial<EngineSql>;

/** Codes come first: a code spent during the deletion has become a family by the time families are deleted. */
interface Statements {
  readonly condition: string;
  readonly deleteCodes: string;
  readonly deleteFamilies: string;
  readonly revokeFamilies: string;
}

/** A row for each deleted code and family. Spent codes are deleted with their families. */
const statementsFor = (isOfUser: string): Statements => ({
  condition: isOfUser,
  deleteCodes: `DELETE FROM authorization_codes WHERE ${isOfUser} AND family_id IS NULL RETURNING code_hash`,
  deleteFamilies: removeFamilies(isOfUser),
  revokeFamilies: `
    UPDATE refresh_families SET ${familyIsRevoked} WHERE ${isOfUser} AND secret_hash IS NOT NULL RETURNING family_id, account_id`,
});

const ofPlayerUser = statementsFor(
  // Sign-ins of the user, and of the player as whom the user signs in.
  `account_id = $1 AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE account_id = $1))
   AND subject = ANY (ARRAY (SELECT CAST($2 AS text) UNION ALL SELECT player_id FROM player_links WHERE account_id = $1 AND player_links.subject = $2))`,
);
const ofPlayer = statementsFor(
  `account_id = $1
   AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE account_id = $1 AND ($2::text IS NULL OR slug = $2::text)))
   AND subject = $3 AND ($4::smallint IS NULL OR environment = $4::smallint)`,
);
const ofPlayerInProject = statementsFor(
  'account_id = $1 AND project_id = $2 AND subject = $3 AND ($4::smallint IS NULL OR environment = $4::smallint)',
);
const ofMember = statementsFor('account_id = $1 AND project_id IS NULL AND subject = $2');
const ofDeveloper = statementsFor('project_id IS NULL AND subject = $1');
const weakOfDevelopers = statementsFor(isWeakOfDeveloperSql);

function statementsOf(directoryId: string, userId: string): Statements & { readonly values: readonly Value[] } {
  const subject = encodeText(userId);
  return directoryId === developersDirectory
    ? { ...ofDeveloper, values: [subject] }
    : { ...ofPlayerUser, values: [directoryId, subject] };
}
