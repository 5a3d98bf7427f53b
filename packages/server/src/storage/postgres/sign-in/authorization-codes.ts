/** Authorization codes, and the families that they are spent for. */
import { optionalTextAt } from '../../columns.ts';
import { encodeOptional, encodeText, environmentNumbers, toAuthorizationCode } from '../../rows.ts';
import type { AuthorizationCode, RefreshFamily, SignInStore } from '../../sign-in-store.ts';
import type { Database } from '../connection/database.ts';
import type { Dependencies } from '../dependencies.ts';
import { familyIsRevoked, grantColumns, isUnspent, signInOwnerExists } from './refresh-families.ts';

type AuthorizationCodes = Pick<SignInStore, 'addAuthorizationCode' | 'findAuthorizationCode' | 'redeemAuthorizationCode'>;

/** Returns the methods of the store that keep authorization codes. */
export function createAuthorizationCodes({ database }: Pick<Dependencies, 'database'>): AuthorizationCodes {
  return {
    addAuthorizationCode: (codeHash, code) => add(database, codeHash, code),
    async findAuthorizationCode(codeHash, now) {
      // No row: no such code, it expired unspent, or its account or project is gone.
      const [row] = await database.query(
        `SELECT ${grantColumns}, expires_at AS code_expires_at, redirect_uri, code_challenge, email, name, family_id
         FROM authorization_codes
         WHERE code_hash = $1 AND (family_id IS NOT NULL OR expires_at > $2) AND ${signInOwnerExists('authorization_codes')}`,
        [codeHash, now],
      );
      return row && { code: toAuthorizationCode(row), spentForFamilyId: optionalTextAt(row, 'family_id') };
    },
    async redeemAuthorizationCode(codeHash, family, secretHash, now) {
      if (await spend(database, codeHash, family, secretHash, now)) return 'redeemed';
      return (await revokeSpent(database, codeHash)) ? 'replayed' : 'unknown';
    },
  };
}

async function add(database: Database, codeHash: Uint8Array, code: AuthorizationCode): Promise<'added' | 'no_project'> {
  const { accountId, slug, environment, clientId, subject, scope, redirectUri, codeChallenge, expiresAt } = code;
  // No row: no such account or project. Two codes of one hash are a fault of the caller and fail.
  const added = await database.query(
    `INSERT INTO authorization_codes (code_hash, account_id, slug, project_id, environment, client_id, subject, scope,
       redirect_uri, code_challenge, expires_at, email, name)
     SELECT $1, accounts.account_id, slug, project_id, $4::smallint, $5, $6, $7, $8, $9, $10::bigint, $11, $12
     FROM accounts LEFT JOIN projects ON projects.account_id = accounts.account_id AND slug = $3
     WHERE accounts.account_id = $2 AND ($3::text IS NULL OR project_id IS NOT NULL)
     RETURNING code_hash`,
    [
      codeHash,
      accountId,
      slug,
      environment && environmentNumbers[environment],
      encodeText(clientId),
      encodeText(subject),
      encodeText(scope),
      encodeText(redirectUri),
      encodeText(codeChallenge),
      expiresAt,
      encodeOptional(code.email),
      encodeOptional(code.name),
    ],
  );
  return added.length === 0 ? 'no_project' : 'added';
}

/** Returns whether this call has spent the code. */
async function spend(
  database: Database,
  codeHash: Uint8Array,
  { familyId, createdAt, idleExpiresAt, absoluteExpiresAt }: RefreshFamily,
  secretHash: Uint8Array,
  now: number,
): Promise<boolean> {
  // No row: no such code, it was spent or has expired, or its account or project does not exist. A statement that has waited
  // for another use sees the code as that use left it. Two families of one id are a fault of the caller and fail.
  const added = await database.query(
    `WITH spent AS (
       UPDATE authorization_codes SET family_id = $2, email = NULL, name = NULL
       WHERE code_hash = $1 AND ${isUnspent} AND expires_at > $7 AND ${signInOwnerExists('authorization_codes')}
       RETURNING ${grantColumns}, project_id, family_id, code_hash, expires_at)
     INSERT INTO refresh_families (${grantColumns}, project_id, family_id, code_hash, code_expires_at,
       created_at, idle_expires_at, absolute_expires_at, secret_hash, sweep_at)
     SELECT ${grantColumns}, project_id, family_id, code_hash, expires_at,
       $3::bigint, $4::bigint, $5::bigint, $6::bytea, least($4::bigint, $5::bigint)
     FROM spent
     RETURNING family_id`,
    [codeHash, familyId, createdAt, idleExpiresAt, absoluteExpiresAt, secretHash, now],
  );
  return added.length > 0;
}

/** Revokes the family that a code was spent for. Returns whether it was spent. */
async function revokeSpent(database: Database, codeHash: Uint8Array): Promise<boolean> {
  // No row: no such code, nobody has spent it, or its account or project is gone.
  const spent = await database.query(
    `WITH spent AS (
       SELECT family_id FROM authorization_codes
       WHERE code_hash = $1 AND family_id IS NOT NULL AND ${signInOwnerExists('authorization_codes')}),
     revoked AS (
       UPDATE refresh_families SET ${familyIsRevoked}
       WHERE family_id IN (SELECT family_id FROM spent) AND secret_hash IS NOT NULL)
     SELECT family_id FROM spent`,
    [codeHash],
  );
  return spent.length > 0;
}
