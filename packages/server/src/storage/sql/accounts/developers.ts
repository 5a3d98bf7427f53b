/** Developers and the accounts that they are linked to. */
import type { Account, NewAccount } from '../../contract/accounts.ts';
import type { DeveloperSeen, SignInClaims } from '../../contract/sign-ins.ts';
import { toAccount } from '../../rows/account-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { developerHash } from '../users/directories.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { insertAccount } from './accounts.ts';
import { insertMember } from './members.ts';
import { type Uncleared, uncleared } from './uncleared.ts';

/** The account that a developer was first linked to or, if it was deleted, the account with the longest membership. */
function* find(_: Setting, issuer: string, subject: string): Steps<Account | undefined> {
  const hash = developerHash(issuer, subject);
  const account =
    'accounts.account_id, accounts.name AS name, idp_tenant_id, accounts.created_at AS created_at, require_second_factor, suspended_at, signed_out_at';
  // No row in either: no such developer.
  const row =
    (yield* first(`SELECT ${account} FROM developers JOIN accounts USING (account_id) WHERE developer_hash = $1`, [
      hash,
    ])) ??
    (yield* first(
      `SELECT ${account} FROM members JOIN accounts USING (account_id) WHERE developer_hash = $1
       ORDER BY joined_at, accounts.account_id LIMIT 1`,
      [hash],
    ));
  return row && toAccount(row);
}

function* create(
  setting: Setting,
  issuer: string,
  subject: string,
  account: NewAccount,
  claims: SignInClaims = { email: null, name: null },
): Steps<Account | Uncleared> {
  const known = yield* find(setting, issuer, subject);
  if (known !== undefined) return known;
  const { accountId } = account;
  const hash = developerHash(issuer, subject);
  // One row, always, which is locked: a concurrent sign-in may have linked the developer to a different account.
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
  const joinedAt = account.createdAt;
  const owner = { accountId, issuer, subject, role: 'owner', environments: null } as const;
  yield* insertMember({ ...owner, ...claims, joinedAt, lastSeenAt: null });
  if (!(yield* setting.engine.isUncleared(accountId)))
    return { ...account, requireSecondFactor: false, suspendedAt: null, signedOutAt: null };
  // One row each, always.
  yield* all('DELETE FROM members WHERE account_id = $1', [accountId]);
  yield* all('DELETE FROM developers WHERE developer_hash = $1', [hash]);
  yield* all('DELETE FROM accounts WHERE account_id = $1', [accountId]);
  return uncleared(accountId);
}

function* recordSeen(_: Setting, issuer: string, seen: readonly DeveloperSeen[]): Steps<void> {
  // In the same order on all nodes, to avoid deadlocks.
  const nameOf = ({ subject, accountId }: DeveloperSeen) => JSON.stringify([subject, accountId]);
  const ordered = [...seen].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  // No change: no such member, or seen later.
  const set =
    'SET last_seen_at = $3 WHERE developer_hash = $1 AND account_id = $2 AND (last_seen_at IS NULL OR last_seen_at < $3)';
  for (const table of ['developers', 'members'] as const) {
    yield* together(
      ordered.map(({ subject, accountId, seenAt }) => ({
        sql: `UPDATE ${table} ${set}`,
        values: [developerHash(issuer, subject), accountId, seenAt],
      })),
    );
  }
}

export const developerVerbs = {
  /** The first account of a developer, identified by issuer and subject. */
  findDeveloper: smallRead(find),
  /**
   * Makes the developer the owner of a new account, unless the developer already has one: parallel first sign-ins create one account.
   * `claims` come from the sign-in.
   */
  createDeveloper: write(create),
  /** Moves the times at which account members of one issuer were last seen forward, never back. Unknown members are skipped. */
  recordDevelopersSeen: write(recordSeen),
};
