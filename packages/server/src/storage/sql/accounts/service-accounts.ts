/** Service accounts, and their secrets, which are found by their hashes. */

import { roles } from '@holdfast/contract';
import { accountChange } from '../../caches/access-changes.ts';
import { ofAccount, ofItsAccount } from '../../contract/read-owner.ts';
import type {
  FoundSecret,
  NewServiceAccount,
  NewServiceAccountSecret,
  ServiceAccount,
  ServiceAccountSecret,
  ServiceAccountUse,
} from '../../contract/service-accounts.ts';
import {
  bytesAt,
  decodedTextAt,
  integerAt,
  optionalIntegerAt,
  type Row,
  textAt,
  wordAt,
  wordsAt,
} from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { created, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, one, type Statement, type Steps, together, type Value } from '../steps.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';

const columns = `account_id, service_account_id, service_accounts.name, role, environments, service_accounts.created_at,
  last_used_at, expires_at`;

const targetOf = (serviceAccountId: string): string => `service-accounts/${serviceAccountId}`;
const secretTarget = (serviceAccountId: string, secretId: string): string =>
  `${targetOf(serviceAccountId)}/secrets/${secretId}`;

const toSecret = (row: Row): ServiceAccountSecret => ({
  secretId: textAt(row, 'secret_id'),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
});

const toServiceAccount = (row: Row, secrets: readonly Row[]): ServiceAccount => ({
  accountId: textAt(row, 'account_id'),
  serviceAccountId: textAt(row, 'service_account_id'),
  name: decodedTextAt(row, 'name'),
  role: wordAt(row, 'role', roles),
  environments: row.environments === null ? null : wordsAt(row, 'environments', environmentNames),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
  expiresAt: optionalIntegerAt(row, 'expires_at'),
  secrets: secrets.map(toSecret),
});

/** The hash of the developer behind a member; null if there is no such member. */
function* makerHashOf(accountId: string, memberId: string | null): Steps<Value> {
  // No row: not a member, but an operator for example.
  const maker = yield* first('SELECT developer_hash FROM members WHERE account_id = $1 AND member_id = $2', [
    accountId,
    memberId,
  ]);
  return maker === undefined ? null : bytesAt(maker, 'developer_hash');
}

const insertSecret = (
  accountId: string,
  serviceAccountId: string,
  { secretHash, secretId, createdAt }: NewServiceAccountSecret,
  makerHash: Value,
): Statement => ({
  // Two secrets with the same hash are a fault of the caller and fail.
  sql: `INSERT INTO service_account_secrets (secret_hash, secret_id, account_id, service_account_id, created_at, maker_hash)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  values: [secretHash, secretId, accountId, serviceAccountId, createdAt, makerHash],
});

function* create(
  { by, account }: AuditedSetting,
  serviceAccount: NewServiceAccount,
  secret: NewServiceAccountSecret,
  accountsMax: number,
): Steps<WithAuditEntry<'created' | 'no_account' | 'too_many'>> {
  const { accountId, serviceAccountId, name, role, environments, createdAt, expiresAt } = serviceAccount;
  // The account is locked, so that it is not deleted in the meantime and no concurrent step counts.
  if (account === undefined) return unchanged('no_account');
  const counted = yield* one('SELECT count(*) AS used FROM service_accounts WHERE account_id = $1', [accountId]);
  if (Number(counted.used) >= accountsMax) return unchanged('too_many');
  const makerHash = yield* makerHashOf(accountId, by.actor.id);
  const values: Value[] = [
    accountId,
    serviceAccountId,
    encodeText(name),
    role,
    environments?.join(',') ?? null,
    createdAt,
    expiresAt,
    makerHash,
  ];
  // One row each, always. An id that is taken is a fault of the caller and fails.
  yield* all(
    `INSERT INTO service_accounts (account_id, service_account_id, name, role, environments, created_at, expires_at, maker_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values,
  );
  yield* together([insertSecret(accountId, serviceAccountId, secret, makerHash)]);
  const detail = created({
    name,
    role,
    environments,
    secretId: secret.secretId,
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  });
  return withAuditEntry('created', { action: 'service_account.create', target: targetOf(serviceAccountId), detail });
}

function* secretsOf(accountId: string, serviceAccountId: string): Steps<readonly Row[]> {
  // At most two rows.
  return yield* all(
    `SELECT secret_id, created_at, last_used_at FROM service_account_secrets
     WHERE account_id = $1 AND service_account_id = $2 ORDER BY created_at, secret_id`,
    [accountId, serviceAccountId],
  );
}

function* find(_: Setting, accountId: string, serviceAccountId: string): Steps<ServiceAccount | undefined> {
  // No row: no such service account, or its account was deleted.
  const row = yield* first(
    `SELECT ${columns} FROM service_accounts JOIN accounts USING (account_id)
     WHERE account_id = $1 AND service_account_id = $2`,
    [accountId, serviceAccountId],
  );
  return row && toServiceAccount(row, yield* secretsOf(accountId, serviceAccountId));
}

function* findBySecret(setting: Setting, secretHash: Uint8Array): Steps<FoundSecret | undefined> {
  // No row: no such secret.
  const row = yield* first(
    'SELECT account_id, service_account_id, secret_id FROM service_account_secrets WHERE secret_hash = $1',
    [secretHash],
  );
  if (row === undefined) return undefined;
  const serviceAccount = yield* find(setting, textAt(row, 'account_id'), textAt(row, 'service_account_id'));
  return serviceAccount && { serviceAccount, secretId: textAt(row, 'secret_id') };
}

function* list(_: Setting, accountId: string): Steps<readonly ServiceAccount[]> {
  // At most 100 rows, and at most 200.
  const [rows = [], secrets = []] = yield* together([
    {
      sql: `SELECT ${columns} FROM service_accounts JOIN accounts USING (account_id) WHERE account_id = $1
        ORDER BY service_accounts.created_at DESC, service_account_id DESC`,
      values: [accountId],
    },
    {
      sql: `SELECT service_account_id, secret_id, created_at, last_used_at FROM service_account_secrets
        WHERE account_id = $1 ORDER BY created_at, secret_id`,
      values: [accountId],
    },
  ]);
  const byAccount = Map.groupBy(secrets, (row) => row.service_account_id);
  return rows.map((row) => toServiceAccount(row, byAccount.get(row.service_account_id) ?? []));
}

const ofOne = 'account_id = $1 AND service_account_id = $2';

/** Locks a service account until the end of the transaction. Returns its name; undefined if there is no such service account. */
function* hold(accountId: string, serviceAccountId: string): Steps<string | undefined> {
  // No row: no such service account, or its account was deleted.
  const row = yield* first(
    `SELECT service_accounts.name FROM accounts JOIN service_accounts USING (account_id) WHERE ${ofOne} FOR UPDATE`,
    [accountId, serviceAccountId],
  );
  return row && decodedTextAt(row, 'name');
}

function* remove(_: Setting, accountId: string, serviceAccountId: string): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  const name = yield* hold(accountId, serviceAccountId);
  if (name === undefined) return unchanged('absent');
  // Up to two rows, and one.
  yield* all(`DELETE FROM service_account_secrets WHERE ${ofOne}`, [accountId, serviceAccountId]);
  yield* all(`DELETE FROM service_accounts WHERE ${ofOne}`, [accountId, serviceAccountId]);
  return withAuditEntry('deleted', {
    action: 'service_account.delete',
    target: targetOf(serviceAccountId),
    detail: removed({ name }),
  });
}

function* addSecret(
  { by }: AuditedSetting,
  accountId: string,
  serviceAccountId: string,
  secret: NewServiceAccountSecret,
  secretsMax: number,
): Steps<WithAuditEntry<'added' | 'absent' | 'too_many'>> {
  // It is locked, so that no concurrent step counts.
  if ((yield* hold(accountId, serviceAccountId)) === undefined) return unchanged('absent');
  if ((yield* secretsOf(accountId, serviceAccountId)).length >= secretsMax) return unchanged('too_many');
  const makerHash = yield* makerHashOf(accountId, by.actor.id);
  yield* together([insertSecret(accountId, serviceAccountId, secret, makerHash)]);
  const target = secretTarget(serviceAccountId, secret.secretId);
  return withAuditEntry('added', { action: 'service_account_secret.create', target, detail: {} });
}

function* removeSecret(
  _: Setting,
  accountId: string,
  serviceAccountId: string,
  secretId: string,
): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  // No row: the service account has no such secret, or the account was deleted.
  const row = yield* first(
    `DELETE FROM service_account_secrets WHERE ${ofOne} AND secret_id = $3
       AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)
     RETURNING secret_id`,
    [accountId, serviceAccountId, secretId],
  );
  if (row === undefined) return unchanged('absent');
  const target = secretTarget(serviceAccountId, secretId);
  return withAuditEntry('deleted', { action: 'service_account_secret.delete', target, detail: {} });
}

function* recordUse(_: Setting, uses: readonly ServiceAccountUse[]): Steps<void> {
  const isLater = '(last_used_at IS NULL OR last_used_at < $3)';
  // In the same order on all nodes, and as in a deletion, to avoid deadlocks.
  const ordered = [...uses].sort((a, b) => (a.serviceAccountId < b.serviceAccountId ? -1 : 1));
  // No change: no such service account or secret, or it was used later.
  yield* together(
    ordered.map(({ accountId, serviceAccountId, usedAt }) => ({
      sql: `UPDATE service_accounts SET last_used_at = $3 WHERE ${ofOne} AND ${isLater}`,
      values: [accountId, serviceAccountId, usedAt],
    })),
  );
  yield* together(
    ordered.map(({ accountId, serviceAccountId, usedAt, secretId }) => ({
      sql: `UPDATE service_account_secrets SET last_used_at = $3 WHERE ${ofOne} AND secret_id = $4 AND ${isLater}`,
      values: [accountId, serviceAccountId, usedAt, secretId],
    })),
  );
}

/** A deletion ends an unknown number of tokens, so all cached data of the account is looked up again. */
const ends = {
  invalidates: accountChange,
  isWithoutEffect: (outcome: 'deleted' | 'absent') => outcome === 'absent',
};

export const serviceAccountVerbs = {
  /** Creates a service account, unless the account already has `accountsMax` or more. */
  createServiceAccount: audited(create, ofItsAccount),
  findServiceAccount: smallRead(find),
  findServiceAccountBySecret: smallRead(findBySecret),
  /** All service accounts of the account, newest first. */
  listServiceAccounts: largeRead(list, ofAccount),
  /** Deletes a service account with its secrets. */
  deleteServiceAccount: audited(remove, ofAccount, ends),
  /** Adds a secret, unless the service account already has `secretsMax` or more. */
  addServiceAccountSecret: audited(addSecret, ofAccount),
  deleteServiceAccountSecret: audited(removeSecret, ofAccount, ends),
  /** Moves `lastUsedAt` of service accounts and secrets forward, never back. Unknown ones are skipped. Not an access change. */
  recordServiceAccountUse: write(recordUse),
};
