/** Authorization codes. A code and the family that it is spent for share a row. */
import type { DatabaseSync } from 'node:sqlite';
import { integerAt, optionalTextAt, textAt } from '../../columns.ts';
import { encodeOptional, encodeText, environmentNumbers, toAuthorizationCode } from '../../rows.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { revokeFamily, signInsWithOwner } from './refresh-families.ts';

type AuthorizationCodes = Pick<SignInStore, 'addAuthorizationCode' | 'findAuthorizationCode' | 'redeemAuthorizationCode'>;

/** Returns the methods of the store that keep authorization codes. */
export function createAuthorizationCodes({ queue, reader }: Pick<Dependencies, 'queue' | 'reader'>): AuthorizationCodes {
  return {
    addAuthorizationCode: (codeHash, code) => queue.submit(smallCommandCharacters, 'addAuthorizationCode', codeHash, code),
    findAuthorizationCode(codeHash, now) {
      // No row: no such code, it expired unspent, or its account or project is gone.
      const row = reader.get(
        `SELECT accounts.account_id, slug, environment, client_id, subject, scope, code_expires_at, redirect_uri, code_challenge,
           email, sign_ins.name, family_id
         FROM ${signInsWithOwner} AND code_hash = ? AND (family_id IS NOT NULL OR code_expires_at > ?)`,
        codeHash,
        now,
      );
      return row && { code: toAuthorizationCode(row), spentForFamilyId: optionalTextAt(row, 'family_id') };
    },
    redeemAuthorizationCode: (codeHash, family, secretHash, now) =>
      queue.submit(smallCommandCharacters, 'redeemAuthorizationCode', codeHash, family, secretHash, now),
  };
}

/** The writes of authorization codes, on the writer thread. */
export function authorizationCodeWrites(
  database: DatabaseSync,
): Pick<Commands, 'addAuthorizationCode' | 'redeemAuthorizationCode'> {
  // No change: no such account or project. Two codes of one hash are a fault of the caller and fail.
  const insert = statement(
    database,
    `INSERT INTO sign_ins (account_id, project_id, environment, client_id, subject, scope, code_hash, code_expires_at,
       redirect_uri, code_challenge, email, name, sweep_at)
     SELECT account_id, project_id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?8
     FROM accounts JOIN projects USING (account_id) WHERE account_id = ?1 AND slug = ?2`,
  );
  // As above, for a developer.
  const insertForDeveloper = statement(
    database,
    `INSERT INTO sign_ins (account_id, client_id, subject, scope, code_hash, code_expires_at,
       redirect_uri, code_challenge, email, name, sweep_at)
     SELECT account_id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6 FROM accounts WHERE account_id = ?1`,
  );
  // No row: no such code, or its account or project is gone.
  const find = statement(
    database,
    `SELECT sign_in_number, family_id, code_expires_at FROM ${signInsWithOwner} AND code_hash = ?`,
  );
  // One row, always: it was found in the same transaction. Two families of one id are a fault of the caller and fail.
  const spend = statement(
    database,
    `UPDATE sign_ins SET email = NULL, name = NULL, family_id = ?2, created_at = ?3, idle_expires_at = ?4,
       absolute_expires_at = ?5, secret_hash = ?6, sweep_at = min(?4, ?5)
     WHERE sign_in_number = ?1`,
  );
  const revoke = statement(database, revokeFamily);
  return {
    addAuthorizationCode(codeHash, code) {
      const { accountId, slug, environment, clientId, subject, scope, expiresAt, redirectUri, codeChallenge } = code;
      const shared = [
        encodeText(clientId),
        encodeText(subject),
        encodeText(scope),
        codeHash,
        expiresAt,
        encodeText(redirectUri),
        encodeText(codeChallenge),
        encodeOptional(code.email),
        encodeOptional(code.name),
      ];
      const added =
        slug === null
          ? insertForDeveloper.changes(accountId, ...shared)
          : insert.changes(accountId, slug, environment && environmentNumbers[environment], ...shared);
      return added === 0 ? 'no_project' : 'added';
    },
    redeemAuthorizationCode(codeHash, { familyId, createdAt, idleExpiresAt, absoluteExpiresAt }, secretHash, now) {
      const row = find.get(codeHash);
      if (row === undefined) return 'unknown';
      if (row.family_id !== null) {
        revoke.changes(textAt(row, 'family_id'));
        return 'replayed';
      }
      if (integerAt(row, 'code_expires_at') <= now) return 'unknown';
      spend.changes(integerAt(row, 'sign_in_number'), familyId, createdAt, idleExpiresAt, absoluteExpiresAt, secretHash);
      return 'redeemed';
    },
  };
}
