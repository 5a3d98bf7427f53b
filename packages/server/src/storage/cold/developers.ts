/** Developers and the accounts that they are linked to. */
import type { Account, NewAccount } from '../management-store.ts';
import { encodeText, toAccount } from '../rows.ts';
import type { DeveloperSeen } from '../sign-in-store.ts';
import { accountColumns, insertAccount } from './accounts.ts';
import { developerHash } from './developer-hash.ts';
import { all, first, type Steps, together } from './steps.ts';
import { read, type Setting, type Uncleared, uncleared, write } from './verb.ts';

function* find(_: Setting, issuer: string, subject: string): Steps<Account | undefined> {
  // No row: no such developer.
  const row = yield* first(
    `SELECT ${accountColumns} FROM developers JOIN accounts USING (account_id)
     WHERE developer_hash = $1`,
    [developerHash(issuer, subject)],
  );
  return row && toAccount(row);
}

function* create(setting: Setting, issuer: string, subject: string, account: NewAccount): Steps<Account | Uncleared> {
  const known = yield* find(setting, issuer, subject);
  if (known !== undefined) return known;
  const { accountId } = account;
  const hash = developerHash(issuer, subject);
  // One row, always, which is held: that of somebody else who has linked the developer meanwhile, if there is one.
  const linked = yield* first(
    `INSERT INTO developers (developer_hash, issuer, subject, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (developer_hash) DO UPDATE SET issuer = excluded.issuer RETURNING account_id`,
    [hash, encodeText(issuer), encodeText(subject), accountId],
  );
  if (linked?.account_id !== accountId) {
    const theirs = yield* find(setting, issuer, subject);
    if (theirs === undefined) throw new Error('a developer is linked to an account that does not exist');
    return theirs;
  }
  // An account id that is taken is a fault of the caller and fails.
  yield* all(insertAccount.sql, insertAccount.values(account));
  if (!(yield* setting.own.isUncleared(accountId))) return { ...account, requireSecondFactor: false };
  // One row each, always.
  yield* all('DELETE FROM developers WHERE developer_hash = $1', [hash]);
  yield* all('DELETE FROM accounts WHERE account_id = $1', [accountId]);
  return uncleared(accountId);
}

function* recordSeen(_: Setting, issuer: string, seen: readonly DeveloperSeen[]): Steps<void> {
  // In one order on all nodes, so that none waits for another twice.
  const ordered = [...seen].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  // No change: no such developer, or seen later than that.
  const sql = `UPDATE developers SET last_seen_at = $2
    WHERE developer_hash = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)`;
  yield* together(ordered.map(({ subject, seenAt }) => ({ sql, values: [developerHash(issuer, subject), seenAt] })));
}

export const developerVerbs = {
  findDeveloper: read(find),
  createDeveloper: write(create),
  recordDevelopersSeen: write(recordSeen),
};
