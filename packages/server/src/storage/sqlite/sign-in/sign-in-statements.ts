/** Authorization codes and refresh-token families as SQL. A code and the family that it is spent for share a row. */

import { admitsSignInSql } from '../../../access/rules/account-status.ts';
import type { SignInStatements } from '../../sql/engine-sql.ts';
import { sweptRowsMax } from '../../sql/sign-in/sign-ins.ts';
import { revokeFamilies } from '../../sql/sign-in/user-sign-ins.ts';

/**
 * Sign-ins whose account, and project if they have one, still exist, of an account that is not suspended, and that are as strong as the
 * account requires of its developers; more conditions follow after AND.
 */
export const signInsWithOwner = `
  sign_ins JOIN accounts USING (account_id) LEFT JOIN projects ON projects.project_id = sign_ins.project_id
  WHERE (projects.project_id IS NOT NULL OR sign_ins.project_id IS NULL) AND ${admitsSignInSql('sign_ins')}`;

const grantColumns = 'accounts.account_id, slug, environment, client_id, subject, scope, amr';
export const familyColumns = `
  ${grantColumns}, family_id, sign_ins.created_at, idle_expires_at, absolute_expires_at, place, player_epoch`;

const families = 'sign_ins';
export const revokeFamily = revokeFamilies({ families }, 'family_id = $1');

/** Rows that one slice of an account removes. */
const removedMax = 500;

/** Whether the subject of a sign-in is still a player, and has not become a different player. */
const isOfPlayer = `NOT EXISTS (SELECT 1 FROM player_links AS links
  WHERE links.account_id = sign_ins.account_id AND links.subject = sign_ins.subject AND links.player_id <> links.subject)`;

const codeWithOwner = `sign_in_number IN (SELECT sign_in_number FROM ${signInsWithOwner} AND code_hash = $1)`;

/** When a sign-in expires; in the past for a revoked family. */
const endsAt = '(CASE WHEN secret_hash IS NULL THEN code_expires_at ELSE min(idle_expires_at, absolute_expires_at) END)';
const isDue = `
  sign_in_number IN (SELECT sign_in_number FROM sign_ins WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT ${sweptRowsMax})`;

export const signInStatements: SignInStatements = {
  codes: 'sign_ins',
  families,
  removeFamilies: (condition) =>
    `DELETE FROM sign_ins WHERE ${condition} AND family_id IS NOT NULL RETURNING family_id, account_id`,
  removeSome: [
    `DELETE FROM sign_ins WHERE sign_in_number IN (
      SELECT sign_in_number FROM sign_ins WHERE project_id IS NULL AND account_id = $1
      UNION ALL SELECT sign_in_number FROM projects JOIN sign_ins ON sign_ins.project_id = projects.project_id
      WHERE projects.account_id = $1 LIMIT ${removedMax}) RETURNING 1`,
  ],
  addCode: `
    INSERT INTO sign_ins (code_hash, account_id, project_id, environment, client_id, subject, scope, redirect_uri,
      code_challenge, code_expires_at, email, name, amr, sweep_at)
    SELECT $1, accounts.account_id, project_id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $10
    FROM accounts LEFT JOIN projects ON projects.account_id = accounts.account_id AND slug = $3
    WHERE accounts.account_id = $2 AND ($3 IS NULL OR project_id IS NOT NULL)
    RETURNING sign_in_number`,
  findCode: `
    SELECT ${grantColumns}, code_expires_at, redirect_uri, code_challenge, email, sign_ins.name, family_id
    FROM ${signInsWithOwner} AND code_hash = $1 AND (family_id IS NOT NULL OR code_expires_at > $2)`,
  spendCode: `
    UPDATE sign_ins SET email = NULL, name = NULL, family_id = $2, created_at = $3, idle_expires_at = $4,
      absolute_expires_at = $5, secret_hash = $6, place = $8, player_epoch = $9, sweep_at = min($4, $5)
    WHERE ${codeWithOwner} AND family_id IS NULL AND code_expires_at > $7 AND (project_id IS NULL OR ${isOfPlayer})
    RETURNING family_id`,
  changeSubject: `UPDATE sign_ins SET subject = $2 WHERE code_hash = $1 AND family_id IS NULL AND code_expires_at > $3 RETURNING 1`,
  revokeSpent: `
    UPDATE sign_ins SET secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at
    WHERE ${codeWithOwner} AND family_id IS NOT NULL RETURNING family_id, account_id`,
  findFamily: `
    SELECT ${familyColumns} FROM ${signInsWithOwner}
    AND family_id = $1 AND secret_hash IS NOT NULL AND min(idle_expires_at, absolute_expires_at) > $2`,
  removeEnded: [`DELETE FROM sign_ins WHERE ${endsAt} <= $1 AND ${isDue} RETURNING sign_in_number`],
  postponeLiving: `UPDATE sign_ins SET sweep_at = ${endsAt} WHERE ${endsAt} > $1 AND ${isDue} RETURNING sign_in_number`,
};
