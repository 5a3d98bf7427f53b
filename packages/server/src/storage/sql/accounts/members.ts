/**
 * Members of accounts.
 *
 * Nodes of 0.1.0 know only the table of developers, with one account for each, and with PostgreSQL read and write it alongside our nodes. A
 * developer without a member record is therefore an owner. Steps that change members lock the account and create these records first; then
 * only the table of members counts.
 */

import { type Authority, mayGrant } from '@holdfast/contract';
import { randomIdentifier } from '../../../common/ids/base62.ts';
import { accountChange } from '../../caches/access-changes.ts';
import type { AuditDetail } from '../../contract/audit.ts';
import type {
  ChangeMemberOutcome,
  Member,
  MemberChanges,
  Membership,
  RemoveMemberOutcome,
} from '../../contract/members.ts';
import { ofAccount } from '../../contract/read-owner.ts';
import type { SignInClaims } from '../../contract/sign-ins.ts';
import { toAccount } from '../../rows/account-rows.ts';
import { decodedTextAt, textAt } from '../../rows/columns.ts';
import { encodeEnvironments, toInvitation, toMember } from '../../rows/member-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { created, differing, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { revokeTokensOf } from '../sign-in/revoked-tokens.ts';
import { removeSignInsOfMember } from '../sign-in/user-sign-ins.ts';
import { all, first, one, type Steps, type Value } from '../steps.ts';
import { developerHash } from '../users/directories.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { webhooksOfMember } from '../webhooks/webhooks.ts';
import { accountColumns } from './accounts.ts';

export const memberColumns =
  'account_id, developer_hash, member_id, issuer, subject, role, environments, name, email, joined_at, last_seen_at';

/** SQL: developers without a member record, as rows of members, dated by the creation of their account. */
const unenrolled = (where: string) =>
  `SELECT developers.account_id AS account_id, developer_hash, CAST(NULL AS text) AS member_id, issuer, subject, 'owner' AS role,
     CAST(NULL AS text) AS environments, CAST(NULL AS text) AS name, CAST(NULL AS text) AS email,
     accounts.created_at AS joined_at, last_seen_at
   FROM developers JOIN accounts ON accounts.account_id = developers.account_id
   WHERE ${where} AND NOT EXISTS (
     SELECT 1 FROM members
     WHERE members.account_id = developers.account_id AND members.developer_hash = developers.developer_hash)`;

const byJoining = (one: Member, other: Member): number =>
  one.joinedAt - other.joinedAt || (one.accountId < other.accountId ? -1 : 1);

function* find(_: Setting, accountId: string, issuer: string, subject: string): Steps<Member | undefined> {
  const values = [accountId, developerHash(issuer, subject)];
  const where = 'account_id = $1 AND developer_hash = $2';
  // No row in either: not a member. If the first has a row, the second is ignored.
  const row =
    (yield* first(`SELECT ${memberColumns} FROM members WHERE ${where}`, values)) ??
    (yield* first(unenrolled(`developers.${where}`), values));
  return row && toMember(row);
}

function* list(_: Setting, accountId: string): Steps<readonly Member[]> {
  // A row for each member, and one for each developer without a record.
  const rows = yield* all(`SELECT ${memberColumns} FROM members WHERE account_id = $1`, [accountId]);
  const more = yield* all(unenrolled('developers.account_id = $1'), [accountId]);
  return [...rows, ...more].map(toMember).sort(byJoining);
}

function* listMemberships(_: Setting, issuer: string, subject: string): Steps<readonly Membership[]> {
  const hash = developerHash(issuer, subject);
  // A row for each account.
  const rows = yield* all(`SELECT ${memberColumns} FROM members WHERE developer_hash = $1`, [hash]);
  // One row at most.
  const more = yield* all(unenrolled('developers.developer_hash = $1'), [hash]);
  const found: Membership[] = [];
  for (const member of [...rows, ...more].map(toMember).sort(byJoining)) {
    // No row: the account was deleted.
    const account = yield* first(`SELECT ${accountColumns} FROM accounts WHERE account_id = $1`, [member.accountId]);
    if (account !== undefined) found.push({ account: toAccount(account), member });
  }
  return found;
}

export interface NewMember extends Authority, SignInClaims {
  readonly accountId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly joinedAt: number;
  readonly lastSeenAt: number | null;
}

/** Adds a member unless the developer is one. Returns the id of the new member. */
export function* insertMember(member: NewMember): Steps<string | undefined> {
  const { accountId, issuer, subject, role, environments, name, email, joinedAt, lastSeenAt } = member;
  // No row: the developer is a member.
  const row = yield* first(
    `INSERT INTO members (${memberColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (account_id, developer_hash) DO NOTHING RETURNING member_id`,
    [
      accountId,
      developerHash(issuer, subject),
      `mem_${randomIdentifier()}`,
      encodeText(issuer),
      encodeText(subject),
      role,
      encodeEnvironments(environments),
      encodeOptional(name),
      encodeOptional(email),
      joinedAt,
      lastSeenAt,
    ],
  );
  return row && textAt(row, 'member_id');
}

/** The entry of a new member, who is the actor. */
export function joinedEntry(memberId: string, member: NewMember, invitationId: string): AuditEntry {
  const { accountId, name } = member;
  return {
    accountId,
    actor: { kind: 'developer', id: memberId, name },
    action: 'member.join',
    target: memberTarget(memberId),
    detail: created({ ...shown(member), invitation: invitationId }),
  };
}

/** Creates the missing member records. The account is locked: members cannot be removed in the meantime. */
export function* enrol(accountId: string): Steps<void> {
  for (const row of yield* all(unenrolled('developers.account_id = $1'), [accountId])) {
    const member = toMember(row);
    yield* insertMember({ ...member, issuer: decodedTextAt(row, 'issuer') });
  }
}

function* enrolDevelopers({ account }: Setting, accountId: string): Steps<void> {
  if (account !== undefined) yield* enrol(accountId);
}

function* recordSignIn(
  { account }: Setting,
  accountId: string,
  issuer: string,
  subject: string,
  { name, email }: SignInClaims,
  now: number,
): Steps<'recorded' | 'unknown'> {
  if (account === undefined) return 'unknown';
  yield* enrol(accountId);
  // No row: no longer a member. What a provider leaves out this time stays.
  const row = yield* first(
    `UPDATE members SET name = coalesce(CAST($3 AS text), name), email = coalesce(CAST($4 AS text), email), last_seen_at = $5
     WHERE account_id = $1 AND developer_hash = $2 RETURNING member_id`,
    [accountId, developerHash(issuer, subject), encodeOptional(name), encodeOptional(email), now],
  );
  return row === undefined ? 'unknown' : 'recorded';
}

/** Returns a member of a locked account. */
export function* findById(accountId: string, memberId: string): Steps<Member | undefined> {
  // No row: no such member.
  const row = yield* first(`SELECT ${memberColumns} FROM members WHERE account_id = $1 AND member_id = $2`, [
    accountId,
    memberId,
  ]);
  return row && toMember(row);
}

interface Held {
  readonly member: Member;
  readonly hash: Value;
}

/** Returns the current member of the locked account. */
function* hold({ account }: Setting, accountId: string, memberId: string): Steps<Held | undefined> {
  if (account === undefined) return undefined;
  yield* enrol(accountId);
  // No row: no such member.
  const row = yield* first(`SELECT ${memberColumns} FROM members WHERE account_id = $1 AND member_id = $2`, [
    accountId,
    memberId,
  ]);
  return row && { member: toMember(row), hash: row.developer_hash as Value };
}

/** Whether a member is the only owner of the account. */
export function* isLastOwner({ accountId, role }: Member): Steps<boolean> {
  if (role !== 'owner') return false;
  const row = yield* one("SELECT count(*) AS owners FROM members WHERE account_id = $1 AND role = 'owner'", [accountId]);
  return Number(row.owners) < 2;
}

/** The path of a member below the account. */
export const memberTarget = (memberId: string): string => `members/${memberId}`;
/** The recorded fields of a member. */
const shown = ({ name, role, environments }: Authority & Pick<Member, 'name'>) => ({ name, role, environments });

function* change(
  setting: Setting,
  accountId: string,
  memberId: string,
  changes: MemberChanges,
  granter: Authority,
): Steps<WithAuditEntry<ChangeMemberOutcome>> {
  const held = yield* hold(setting, accountId, memberId);
  if (held === undefined) return unchanged({ kind: 'unknown' });
  const role = changes.role ?? held.member.role;
  const kept = changes.environments === undefined ? held.member.environments : changes.environments;
  const member: Member = { ...held.member, role, environments: role === 'owner' ? null : kept };
  if (!mayGrant(granter, member) || (held.member.role === 'owner' && granter.role !== 'owner'))
    return unchanged({ kind: 'beyond' });
  if (role === 'owner' && changes.environments) return unchanged({ kind: 'unnarrowable' });
  if (role !== 'owner' && (yield* isLastOwner(held.member))) return unchanged({ kind: 'last_owner' });
  // One row, always.
  yield* all('UPDATE members SET role = $3, environments = $4 WHERE account_id = $1 AND developer_hash = $2', [
    accountId,
    held.hash,
    role,
    encodeEnvironments(member.environments),
  ]);
  yield* endInvitations(member, member);
  const detail = differing(shown(held.member), shown(member));
  return withAuditEntry({ kind: 'changed', member }, { action: 'member.update', target: memberTarget(memberId), detail });
}

/** Deletes the open invitations of a member that exceed an authority; all of them if it is undefined. */
export function* endInvitations({ accountId, memberId }: Member, authority: Authority | undefined): Steps<void> {
  // A row for each invitation of the member.
  const rows = yield* all('SELECT * FROM invitations WHERE account_id = $1 AND maker_id = $2', [accountId, memberId]);
  for (const row of rows) {
    if (authority !== undefined && mayInvite(authority) && mayGrant(authority, toInvitation(row))) continue;
    // No row: it was used or withdrawn at this moment.
    yield* all('DELETE FROM invitations WHERE invitation_hash = $1', [row.invitation_hash as Value]);
  }
}

const mayInvite = ({ role }: Authority): boolean => role === 'owner' || role === 'admin';

function* remove(
  setting: AuditedSetting,
  accountId: string,
  memberId: string,
  granter: Authority,
): Steps<WithAuditEntry<RemoveMemberOutcome>> {
  const held = yield* hold(setting, accountId, memberId);
  if (held === undefined) return unchanged({ kind: 'unknown' });
  const { member, hash } = held;
  if (member.role === 'owner' && granter.role !== 'owner') return unchanged({ kind: 'beyond' });
  if (yield* isLastOwner(member)) return unchanged({ kind: 'last_owner' });
  yield* endInvitations(member, undefined);
  yield* revokeTokensOf(setting, yield* removeSignInsOfMember(setting.engine, accountId, member.subject), setting.by.at);
  // One row, always.
  yield* all('DELETE FROM members WHERE account_id = $1 AND developer_hash = $2', [accountId, hash]);
  // No row: the developer is linked to another account, or to none.
  yield* all('DELETE FROM developers WHERE developer_hash = $2 AND account_id = $1', [accountId, hash]);
  const detail = yield* removedDetail(member, memberId);
  const entry = { action: 'member.remove', target: memberTarget(memberId), detail } as const;
  return withAuditEntry({ kind: 'removed', member }, entry);
}

/** The detail of a removal. It names the webhooks that the member created: their receivers go on getting events. */
export function* removedDetail(member: Member, memberId: string): Steps<AuditDetail> {
  const webhooks = yield* webhooksOfMember(member.accountId, memberId);
  return removed({ ...shown(member), ...(webhooks.length > 0 && { webhooks }) });
}

/** Writes the existing value, so that other processes notice the write. */
function* forgetAccess(_: Setting, accountId: string): Steps<void> {
  // One row each at most. SQLite writes nothing for an unchanged row, and other processes would not notice.
  yield* all('UPDATE accounts SET projects = projects + 1 WHERE account_id = $1', [accountId]);
  yield* all('UPDATE accounts SET projects = projects - 1 WHERE account_id = $1', [accountId]);
}

export const memberVerbs = {
  /** Makes every node look up access to an account again, after a change that does not announce itself. An access change. */
  forgetAccess: write(forgetAccess, { invalidates: accountChange }),
  /** The membership of a developer, identified by issuer and subject, in an account. A developer without a member record is an owner. */
  findMember: smallRead(find),
  /** All members, in the order in which they joined. */
  listMembers: largeRead(list, ofAccount),
  /** The accounts of which a developer is a member, in the order of joining. */
  listMemberships: smallRead(listMemberships),
  /** Creates the missing member records of the account's developers. */
  enrolDevelopers: write(enrolDevelopers, { locks: ofAccount }),
  /** Stores the identity provider's claims about a member who signs in. `unknown` if the developer is no longer a member. */
  recordSignIn: write(recordSignIn, { locks: ofAccount }),
  /**
   * Changes a member's authority, within that of `granter`: only an owner changes an owner. The member's invitations that exceed the new
   * authority end in the same step. If owners demote each other at the same time, one of them stays an owner. An access change.
   */
  changeMember: audited(change, ofAccount, {
    invalidates: accountChange,
    isWithoutEffect: ({ kind }) => kind !== 'changed',
  }),
  /**
   * Removes a member, with the member's sign-ins and open invitations in the account; only an owner removes an owner. For a member who
   * leaves, `granter` is the member's own authority. An access change.
   */
  removeMember: audited(remove, ofAccount, {
    invalidates: accountChange,
    isWithoutEffect: ({ kind }) => kind !== 'removed',
  }),
};
