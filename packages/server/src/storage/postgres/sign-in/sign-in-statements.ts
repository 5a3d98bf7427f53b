/** Authorization codes and refresh-token families as SQL. Each has its own table. */

import { admitsSignInSql } from '../../../access/rules/account-status.ts';
import type { SignInStatements } from '../../sql/engine-sql.ts';
import { sweptRowsMax } from '../../sql/sign-in/sign-ins.ts';

type SignInTable = 'authorization_codes' | 'refresh_families';

/**
 * Whether the account of a row of `table` still exists and is not suspended, its project, if it has one, exists, and the sign-in is as
 * strong as the account requires of its developers; null where EXISTS would be false. With EXISTS the database may choose to read all
 * projects first.
 */
export const signInOwnerExists = (table: SignInTable): string => `
  ((SELECT true FROM accounts WHERE accounts.account_id = ${table}.account_id AND ${admitsSignInSql(table)})
   AND (${table}.project_id IS NULL OR (
     SELECT true FROM projects
     WHERE projects.account_id = ${table}.account_id AND projects.slug = ${table}.slug
       AND projects.project_id = ${table}.project_id)))`;

/** The columns of a grant, the same in both tables. */
const grantColumns = 'account_id, slug, environment, client_id, subject, scope, amr';
export const familyColumns = `${grantColumns}, family_id, created_at, idle_expires_at, absolute_expires_at, place, player_epoch`;

/**
 * Whether a code is unspent, for statements that know its key. In this form the indexes of unspent codes do not match; they are so small
 * that the database would read through one of them instead of looking up the key.
 */
const isUnspent = "coalesce(family_id, '') = ''";

/** When a family expires unless it is used or revoked. */
export const familyEndsAt = 'least(idle_expires_at, absolute_expires_at)';

/** What revoking changes in the row of a family. The row stays until its code has expired, so the code is known as spent. */
const familyIsRevoked = 'secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at';

/** Whether the subject of a code is still a player, and has not become a different player. */
const isOfPlayer = `NOT EXISTS (SELECT 1 FROM player_links AS links
  WHERE links.account_id = authorization_codes.account_id AND links.subject = authorization_codes.subject
    AND links.player_id <> links.subject)`;

const ownedCode = `code_hash = $1 AND ${signInOwnerExists('authorization_codes')}`;

/** Families that may have expired; the same families for every node. */
const dueFamilies = `SELECT family_id FROM refresh_families WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT ${sweptRowsMax}`;

/** When a family, or the record of its revocation, is no longer needed. */
const endsAt = `(CASE WHEN secret_hash IS NULL THEN code_expires_at ELSE ${familyEndsAt} END)`;

/** Deletes families with their spent codes, and returns a row for each family. */
const removeFamilies = (condition: string): string => `
  WITH gone AS (DELETE FROM refresh_families WHERE ${condition} RETURNING family_id, account_id, code_hash),
  codes AS (DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM gone))
  SELECT family_id, account_id FROM gone`;

const slices = (condition: string, rows: number): readonly string[] => [
  `DELETE FROM authorization_codes WHERE code_hash IN (
     SELECT code_hash FROM authorization_codes WHERE ${condition} AND family_id IS NULL LIMIT ${rows})
   RETURNING code_hash`,
  removeFamilies(`family_id IN (SELECT family_id FROM refresh_families WHERE ${condition} LIMIT ${rows})`),
];

/**
 * Statements that delete the sign-ins of a deleted project, some with each call, and return a row for each deleted record. `$1` is the
 * account id, `$2` the project id.
 */
export const projectSignInSlices = (rows: number): readonly string[] => slices('account_id = $1 AND project_id = $2', rows);

/** The same for a deleted account and everything in it. `condition` is an additional SQL condition. */
export const accountSignInSlices = (rows: number, condition = 'true'): readonly string[] =>
  slices(`account_id = $1 AND ${condition}`, rows);

export const signInStatements: SignInStatements = {
  codes: 'authorization_codes',
  families: 'refresh_families',
  removeFamilies: (condition) => removeFamilies(condition),
  removeSome: accountSignInSlices(500),
  addCode: `
    INSERT INTO authorization_codes (code_hash, account_id, slug, project_id, environment, client_id, subject, scope,
      redirect_uri, code_challenge, expires_at, email, name, amr)
    SELECT $1, accounts.account_id, slug, project_id, $4::smallint, $5, $6, $7, $8, $9, $10::bigint, $11, $12, $13
    FROM accounts LEFT JOIN projects ON projects.account_id = accounts.account_id AND slug = $3
    WHERE accounts.account_id = $2 AND ($3::text IS NULL OR project_id IS NOT NULL)
    FOR KEY SHARE OF accounts
    RETURNING code_hash`,
  findCode: `
    SELECT ${grantColumns}, expires_at AS code_expires_at, redirect_uri, code_challenge, email, name, family_id
    FROM authorization_codes WHERE ${ownedCode} AND (family_id IS NOT NULL OR expires_at > $2)`,
  spendCode: `
    WITH spent AS (
      UPDATE authorization_codes SET family_id = $2, email = NULL, name = NULL
      WHERE ${ownedCode} AND ${isUnspent} AND expires_at > $7 AND (project_id IS NULL OR ${isOfPlayer})
      RETURNING ${grantColumns}, project_id, family_id, code_hash, expires_at)
    INSERT INTO refresh_families (${grantColumns}, project_id, family_id, code_hash, code_expires_at,
      created_at, idle_expires_at, absolute_expires_at, secret_hash, sweep_at, place, player_epoch)
    SELECT ${grantColumns}, project_id, family_id, code_hash, expires_at,
      $3::bigint, $4::bigint, $5::bigint, $6::bytea, least($4::bigint, $5::bigint), $8::text, $9::bigint
    FROM spent
    RETURNING family_id`,
  changeSubject: `
    UPDATE authorization_codes SET subject = $2 WHERE code_hash = $1 AND ${isUnspent} AND expires_at > $3 RETURNING code_hash`,
  revokeSpent: `
    WITH spent AS (SELECT family_id, account_id FROM authorization_codes WHERE ${ownedCode} AND family_id IS NOT NULL),
    revoked AS (
      UPDATE refresh_families SET ${familyIsRevoked}
      WHERE family_id IN (SELECT family_id FROM spent) AND secret_hash IS NOT NULL)
    SELECT family_id, account_id FROM spent`,
  findFamily: `
    SELECT ${familyColumns} FROM refresh_families
    WHERE family_id = $1 AND secret_hash IS NOT NULL AND ${familyEndsAt} > $2 AND ${signInOwnerExists('refresh_families')}`,
  removeEnded: [
    // These codes expired unspent. A code that is spent in the meantime stays.
    `DELETE FROM authorization_codes
     WHERE ${isUnspent} AND code_hash IN (
       SELECT code_hash FROM authorization_codes
       WHERE family_id IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT ${sweptRowsMax})
     RETURNING code_hash`,
    removeFamilies(`${endsAt} <= $1 AND family_id IN (${dueFamilies})`),
  ],
  postponeLiving: `
    UPDATE refresh_families SET sweep_at = ${endsAt} WHERE ${endsAt} > $1 AND family_id IN (${dueFamilies})
    RETURNING family_id`,
};
