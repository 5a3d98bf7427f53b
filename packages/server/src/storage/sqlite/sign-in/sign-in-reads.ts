/** What can be asked about sign-ins. Each function is one consistent look at it. */

import { encodeText, toAccount, toAuthorizationCode, toRefreshFamily } from '../../rows.ts';
import type { AuthorizationCode, RefreshFamily } from '../../sign-in-store.ts';
import type { Account, ProjectKey, ReadOutcome } from '../../store.ts';
import type { Reader } from '../reader.ts';
import { familyColumns, signInsOfTheLiving } from './sign-in-writes.ts';

/** Settings as text, in the shape of other records that are kept in memory. */
export interface EndUserAuthRecord {
  readonly stateText: string;
}

export function readEndUserAuth(reader: Reader, { accountId, slug }: ProjectKey): ReadOutcome<EndUserAuthRecord> {
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

export function findDeveloper(reader: Reader, issuer: string, subject: string): Account | undefined {
  // No row: no such developer.
  const row = reader.get(
    `SELECT account_id, name, idp_tenant_id, created_at FROM developers JOIN accounts USING (account_number)
     WHERE issuer = ? AND subject = ?`,
    encodeText(issuer),
    encodeText(subject),
  );
  return row && toAccount(row);
}

/** A code is found until it expires, a spent one as long as the family that it was spent for is kept. */
export function findAuthorizationCode(
  reader: Reader,
  codeHash: Uint8Array,
  now: number,
): { readonly code: AuthorizationCode; readonly spentForFamilyId: string | null } | undefined {
  // No row: no such code, it expired unspent, or its account or project is gone.
  const row = reader.get(
    `SELECT account_id, slug, environment, client_id, subject, scope, code_expires_at, redirect_uri, code_challenge,
       email, sign_ins.name, family_id
     FROM ${signInsOfTheLiving} AND code_hash = ? AND (family_id IS NOT NULL OR code_expires_at > ?)`,
    codeHash,
    now,
  );
  return row && { code: toAuthorizationCode(row), spentForFamilyId: row.family_id as string | null };
}

export function findRefreshFamily(reader: Reader, familyId: string, now: number): RefreshFamily | undefined {
  // No row: no such family, it expired or was revoked, or its account or project is gone.
  const row = reader.get(
    `SELECT ${familyColumns} FROM ${signInsOfTheLiving}
     AND family_id = ?1 AND secret_hash IS NOT NULL AND min(idle_expires_at, absolute_expires_at) > ?2`,
    familyId,
    now,
  );
  return row && toRefreshFamily(row);
}
