/** Accounts. */

import { accountChange } from '../../caches/access-changes.ts';
import { accountName } from '../../caches/record-names.ts';
import type { Account, AccountChanges, ListedAccount, NewAccount } from '../../contract/accounts.ts';
import { builtInIssuerName } from '../../contract/identity.ts';
import type { Page, PageRequest } from '../../contract/pages.ts';
import { ofAccount, ofInstallation } from '../../contract/read-owner.ts';
import { toAccount, toListedAccount } from '../../rows/account-rows.ts';
import { decodedTextAt } from '../../rows/columns.ts';
import { beforeFirst, pageOf } from '../../rows/pages.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { created, differing } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { revokeTokensOf } from '../sign-in/revoked-tokens.ts';
import { endWeakSignIns, removeSomeSignIns } from '../sign-in/user-sign-ins.ts';
import { all, first, one, type Steps, type Value } from '../steps.ts';
import { developersDirectory } from '../users/directories.ts';
import { removeUser } from '../users/users.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { type Uncleared, uncleared } from './uncleared.ts';

const newColumns = 'account_id, name, idp_tenant_id, created_at';

/** The columns of an account record. */
export const accountColumns = `${newColumns}, require_second_factor, suspended_at, signed_out_at`;

/** The statement that creates an account. It fails if the id is taken. */
export const insertAccount = {
  sql: `INSERT INTO accounts (${newColumns}, projects) VALUES ($1, $2, $3, $4, 0)`,
  values: ({ accountId, name, idpTenantId, createdAt }: NewAccount): Value[] => [
    accountId,
    encodeText(name),
    idpTenantId,
    createdAt,
  ],
};

function* isEmpty(_: Setting): Steps<boolean> {
  // No row: no account.
  return (yield* first('SELECT 1 AS found FROM accounts LIMIT 1')) === undefined;
}

function* create(setting: Setting, account: NewAccount): Steps<'created' | 'already_exists' | Uncleared> {
  const { accountId } = account;
  // No row: the account id is taken.
  const created = yield* first(
    `${insertAccount.sql} ON CONFLICT (account_id) DO NOTHING RETURNING account_id`,
    insertAccount.values(account),
  );
  if (created === undefined) return 'already_exists';
  // Checked after the row was created, since that may have waited for a deletion.
  if (!(yield* setting.engine.isUncleared(accountId))) return 'created';
  // One row, always.
  yield* all('DELETE FROM accounts WHERE account_id = $1', [accountId]);
  return uncleared(accountId);
}

function* find(_: Setting, accountId: string): Steps<Account | undefined> {
  // No row: no such account.
  const row = yield* first(`SELECT ${accountColumns} FROM accounts WHERE account_id = $1`, [accountId]);
  return row && toAccount(row);
}

function* list(_: Setting, { after, itemsMax }: PageRequest): Steps<Page<ListedAccount>> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT ${accountColumns}, (SELECT max(last_seen_at) FROM (
         SELECT last_seen_at FROM developers WHERE developers.account_id = accounts.account_id
         UNION ALL SELECT last_seen_at FROM members WHERE members.account_id = accounts.account_id) AS seen) AS last_seen_at
     FROM accounts WHERE (created_at, account_id) < ($1, $2)
     ORDER BY created_at DESC, account_id DESC LIMIT $3`,
    [createdAt, tie, itemsMax + 1],
  );
  return pageOf(rows.map(toListedAccount), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.accountId }));
}

function* update(
  setting: AuditedSetting,
  accountId: string,
  changes: AccountChanges,
): Steps<WithAuditEntry<Account | undefined>> {
  const { name, requireSecondFactor } = changes;
  const before = yield* find(setting, accountId);
  if (before === undefined) return unchanged(undefined);
  // It is locked.
  const row = yield* one(
    `UPDATE accounts SET name = coalesce(CAST($2 AS text), name),
       require_second_factor = coalesce(CAST($3 AS bigint), require_second_factor)
     WHERE account_id = $1 RETURNING ${accountColumns}`,
    [
      accountId,
      name === undefined ? null : encodeText(name),
      requireSecondFactor === undefined ? null : Number(requireSecondFactor),
    ],
  );
  if (requireSecondFactor === true) {
    yield* revokeTokensOf(setting, yield* endWeakSignIns(setting.engine, accountId), setting.by.at);
  }
  const detail = differing({ ...before }, changes);
  return withAuditEntry(toAccount(row), { action: 'account.update', target: accountId, detail });
}

function* suspend(setting: Setting, accountId: string, at: number | null): Steps<WithAuditEntry<'written' | 'no_account'>> {
  const before = yield* find(setting, accountId);
  if (before === undefined) return unchanged('no_account');
  if ((before.suspendedAt === null) === (at === null)) return unchanged('written');
  // One row, always: it is locked.
  yield* all('UPDATE accounts SET suspended_at = $2 WHERE account_id = $1', [accountId, at]);
  const detail = differing({ suspended: at === null }, { suspended: at !== null });
  return withAuditEntry('written', { action: 'account.update', target: accountId, detail });
}

/** From now on, an imported account has the status that it had in its old store. */
function* settle(_: Setting, accountId: string, suspendedAt: number | null): Steps<void> {
  // One row, always.
  yield* all('UPDATE accounts SET suspended_at = $2 WHERE account_id = $1', [accountId, suspendedAt]);
}

function* signOut(setting: Setting, accountId: string, at: number): Steps<WithAuditEntry<'written' | 'no_account'>> {
  if ((yield* find(setting, accountId)) === undefined) return unchanged('no_account');
  // One row, always: it is locked.
  yield* all('UPDATE accounts SET signed_out_at = $2 WHERE account_id = $1', [accountId, at]);
  return withAuditEntry('written', { action: 'account.update', target: accountId, detail: created({ sessions: 'ended' }) });
}

/** Deletes an account's members, and users of the built-in provider who have no other account. */
function* removeMembers(setting: Setting, accountId: string): Steps<void> {
  const deletion = (table: string) =>
    `DELETE FROM ${table} WHERE account_id = $1 RETURNING developer_hash, issuer, subject`;
  // Any number of rows each; a developer may be in both.
  const developers = [
    ...(yield* all(deletion('members'), [accountId])),
    ...(yield* all(deletion('developers'), [accountId])),
  ];
  for (const developer of developers) {
    if (decodedTextAt(developer, 'issuer') !== builtInIssuerName) continue;
    // No row: the developer has no account left.
    const left = yield* first(
      `SELECT 1 AS found FROM members WHERE developer_hash = $1
       UNION ALL SELECT 1 AS found FROM developers WHERE developer_hash = $1`,
      [developer.developer_hash as Value],
    );
    if (left === undefined) yield* removeUser(setting, developersDirectory, decodedTextAt(developer, 'subject'), null);
  }
}

function* remove(setting: Setting, accountId: string): Steps<'deleted' | 'absent'> {
  if (setting.account === undefined) return 'absent';
  yield* setting.engine.closeAccount(accountId);
  yield* removeMembers(setting, accountId);
  // One row, always. From here on nothing in the account can be reached, since every read begins at this row.
  yield* all('DELETE FROM accounts WHERE account_id = $1', [accountId]);
  return 'deleted';
}

export const accountVerbs = {
  /** Whether the store has no accounts. */
  isEmpty: smallRead(isEmpty),
  createAccount: write(create),
  findAccount: smallRead(find, { remembers: accountName }),
  /** Newest first; `tie` is the account id. */
  listAccounts: largeRead(list, ofInstallation),
  /**
   * Returns the changed account; undefined if it does not exist. If it now requires a second factor, its developers' sign-ins without one
   * end in the same step.
   */
  updateAccount: audited(update, ofAccount, {
    changes: accountName,
    invalidates: (accountId, { requireSecondFactor }) =>
      requireSecondFactor === undefined ? undefined : accountChange(accountId),
    isWithoutEffect: (outcome) => outcome === undefined,
  }),
  /**
   * Suspends the account from the time `at`, or ends the suspension (null). An account that is already suspended keeps the earlier time.
   */
  suspendAccount: audited(suspend, ofAccount, {
    changes: accountName,
    invalidates: accountChange,
    isWithoutEffect: (outcome) => outcome === 'no_account',
  }),
  /** Records that the account's sessions end at the time `at`. */
  signOutAccount: audited(signOut, ofAccount, {
    changes: accountName,
    invalidates: accountChange,
    isWithoutEffect: (outcome) => outcome === 'no_account',
  }),
  /** Restores the status of an imported account, which has not been served yet. */
  settleAccount: write(settle, { changes: accountName, invalidates: accountChange }),
  /** Deletes some of the account's codes and refresh-token families, of developers and players. Returns the number deleted. */
  removeSomeSignIns: write(({ engine }, accountId: string) => removeSomeSignIns(engine, accountId)),
  /**
   * Deletes the account with everything in it; none of it can be read once this resolves. Developers of the built-in identity provider who
   * have no other account are deleted in the same step, with their sign-in methods.
   */
  deleteAccount: write(remove, {
    locks: ofAccount,
    changes: accountName,
    invalidates: accountChange,
    isWithoutEffect: (outcome) => outcome === 'absent',
    forgets: true,
  }),
};
