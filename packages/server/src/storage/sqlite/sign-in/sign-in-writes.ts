import type { DatabaseSync } from 'node:sqlite';
import { encodeText, environmentNumbers, toAccount, toRefreshFamily } from '../../rows.ts';
import { meetsTerms } from '../../sign-in-store.ts';
import type { Commands } from '../writer/commands.ts';
import { statement } from '../writer/statement.ts';

/** Sign-ins whose account, and project if they have one, still exist; more conditions follow after AND. */
export const signInsOfTheLiving = `
  sign_ins JOIN accounts USING (account_number) LEFT JOIN projects ON projects.project_id = sign_ins.project_id
  WHERE (sign_ins.project_id IS NULL OR projects.project_id IS NOT NULL)`;

export const familyColumns = `
  account_id, slug, environment, client_id, subject, scope, family_id, sign_ins.created_at, idle_expires_at,
  absolute_expires_at`;

export type SingleSignInWrites = Pick<
  Commands,
  'writeEndUserAuth' | 'addAuthorizationCode' | 'redeemAuthorizationCode' | 'consumeRefreshToken' | 'revokeRefreshFamily'
>;
export type SignInWrites = Pick<Commands, 'createDeveloper' | 'sweepExpiredSignIns'>;

/** The writes of sign-in that are one writing statement each. They run inside the writer's transaction. */
export function singleSignInWrites(database: DatabaseSync): SingleSignInWrites {
  return { ...settings(database), ...codes(database), ...families(database) };
}

/** The writes of sign-in that are several statements. Each runs inside a savepoint of its own. */
export function signInWrites(database: DatabaseSync): SignInWrites {
  return { ...developers(database), ...expiry(database) };
}

const encodeOptional = (value: string | null) => (value === null ? null : encodeText(value));

function settings(database: DatabaseSync): Pick<Commands, 'writeEndUserAuth'> {
  // No change: no such project.
  const put = statement(
    database,
    `INSERT INTO end_user_auth (project_id, settings)
     SELECT project_id, ?3 FROM accounts JOIN projects USING (account_number) WHERE account_id = ?1 AND slug = ?2
     ON CONFLICT DO UPDATE SET settings = excluded.settings`,
  );
  return {
    writeEndUserAuth: (accountId, slug, settingsText) =>
      put.changes(accountId, slug, settingsText) === 0 ? 'no_project' : 'written',
  };
}

function developers(database: DatabaseSync): Pick<Commands, 'createDeveloper'> {
  // No row: the developer has no account.
  const find = statement(
    database,
    `SELECT account_id, name, idp_tenant_id, created_at FROM developers JOIN accounts USING (account_number)
     WHERE issuer = ? AND subject = ?`,
  );
  // One row. An account id that is taken is a fault of the caller and fails.
  const insertAccount = statement(
    database,
    'INSERT INTO accounts (account_id, name, idp_tenant_id, created_at) VALUES (?, ?, ?, ?) RETURNING account_number',
  );
  // One row, always.
  const insert = statement(database, 'INSERT INTO developers (issuer, subject, account_number) VALUES (?, ?, ?)');
  return {
    createDeveloper(issuer, subject, account) {
      const row = find.get(encodeText(issuer), encodeText(subject));
      if (row !== undefined) return toAccount(row);
      const { accountId, name, idpTenantId, createdAt } = account;
      const number = insertAccount.get(accountId, encodeText(name), idpTenantId, createdAt)?.account_number as number;
      insert.changes(encodeText(issuer), encodeText(subject), number);
      return account;
    },
  };
}

function codes(database: DatabaseSync): Pick<Commands, 'addAuthorizationCode' | 'redeemAuthorizationCode'> {
  // No change: no such account or project. Two codes of one hash are a fault of the caller and fail.
  const insert = statement(
    database,
    `INSERT INTO sign_ins (account_number, project_id, environment, client_id, subject, scope, code_hash, code_expires_at,
       redirect_uri, code_challenge, email, name, sweep_at)
     SELECT account_number, project_id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?8
     FROM accounts JOIN projects USING (account_number) WHERE account_id = ?1 AND slug = ?2`,
  );
  // As above, for a developer.
  const insertForDeveloper = statement(
    database,
    `INSERT INTO sign_ins (account_number, client_id, subject, scope, code_hash, code_expires_at,
       redirect_uri, code_challenge, email, name, sweep_at)
     SELECT account_number, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6 FROM accounts WHERE account_id = ?1`,
  );
  // No row: no such code, or its account or project is gone.
  const find = statement(
    database,
    `SELECT sign_in_number, family_id, code_expires_at FROM ${signInsOfTheLiving} AND code_hash = ?`,
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
        ...[encodeText(clientId), encodeText(subject), encodeText(scope), codeHash, expiresAt],
        ...[encodeText(redirectUri), encodeText(codeChallenge), encodeOptional(code.email), encodeOptional(code.name)],
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
        revoke.changes(row.family_id as string);
        return 'replayed';
      }
      if ((row.code_expires_at as number) <= now) return 'unknown';
      spend.changes(row.sign_in_number as number, familyId, createdAt, idleExpiresAt, absoluteExpiresAt, secretHash);
      return 'redeemed';
    },
  };
}

/** No change: no such family, or it was revoked before. The row stays until its code has expired, known as spent. */
const revokeFamily = `
  UPDATE sign_ins SET secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at
  WHERE family_id = ? AND secret_hash IS NOT NULL`;

function families(database: DatabaseSync): Pick<Commands, 'consumeRefreshToken' | 'revokeRefreshFamily'> {
  // No row: no such family, it expired or was revoked, or its account or project is gone. A grace of 0 is none, also for
  // two uses within the same millisecond.
  const find = statement(
    database,
    `SELECT sign_in_number, ${familyColumns}, secret_hash = ?2 AS is_current,
       previous_secret_hash IS ?2 AND ?4 > 0 AND ?3 - replaced_at <= ?4 AS is_in_grace
     FROM ${signInsOfTheLiving}
     AND family_id = ?1 AND secret_hash IS NOT NULL AND min(idle_expires_at, absolute_expires_at) > ?3`,
  );
  // One row, always: it was found in the same transaction. No index holds any of these columns.
  const rotate = statement(
    database,
    `UPDATE sign_ins SET previous_secret_hash = secret_hash, secret_hash = ?2, idle_expires_at = ?3, replaced_at = ?4
     WHERE sign_in_number = ?1`,
  );
  const revoke = statement(database, revokeFamily);
  return {
    consumeRefreshToken(familyId, secretHash, nextSecretHash, nextIdleExpiresAt, now, graceMilliseconds, terms) {
      const row = find.get(familyId, secretHash, now, graceMilliseconds);
      if (row === undefined) return { kind: 'unknown' };
      const family = toRefreshFamily(row);
      if (!meetsTerms(family, terms)) return { kind: 'mismatched', family };
      if (row.is_current === 1) {
        const idleExpiresAt = Math.min(nextIdleExpiresAt, family.absoluteExpiresAt);
        rotate.changes(row.sign_in_number as number, nextSecretHash, idleExpiresAt, now);
        return { kind: 'consumed', family: { ...family, idleExpiresAt } };
      }
      if (row.is_in_grace !== 1) revoke.changes(familyId);
      return { kind: 'replayed' };
    },
    revokeRefreshFamily(familyId) {
      revoke.changes(familyId);
    },
  };
}

/** Rows that one sweep looks at: so many at a time, and so many times until it has found one to delete. */
const sweepRowsMax = 250;
const sweepTurnsMax = 8;

function expiry(database: DatabaseSync): Pick<Commands, 'sweepExpiredSignIns'> {
  // A row for each sign-in that may have expired. `ends_at` is when it does, in the past for a revoked family.
  const find = statement(
    database,
    `SELECT sign_in_number,
       CASE WHEN secret_hash IS NULL THEN code_expires_at ELSE min(idle_expires_at, absolute_expires_at) END AS ends_at
     FROM sign_ins WHERE sweep_at <= ? ORDER BY sweep_at LIMIT ${sweepRowsMax}`,
  );
  // One row each, always.
  const remove = statement(database, 'DELETE FROM sign_ins WHERE sign_in_number = ?');
  const postpone = statement(database, 'UPDATE sign_ins SET sweep_at = ?2 WHERE sign_in_number = ?1');
  return {
    sweepExpiredSignIns(now) {
      let removed = 0;
      for (let turn = 0; turn < sweepTurnsMax && removed === 0; turn++) {
        const rows = find.all(now);
        for (const row of rows) {
          const [number, endsAt] = [row.sign_in_number as number, row.ends_at as number];
          if (endsAt <= now) removed += remove.changes(number);
          else postpone.changes(number, endsAt);
        }
        if (rows.length < sweepRowsMax) break;
      }
      return removed;
    },
  };
}
