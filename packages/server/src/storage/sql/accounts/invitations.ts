/** Invitations to accounts. */

import { mayGrant } from '@holdfast/contract';
import { isSameEmail } from '../../../common/text/email-address.ts';
import type { Account } from '../../contract/accounts.ts';
import type { AcceptOutcome, Invitation } from '../../contract/invitations.ts';
import { ofAccount } from '../../contract/read-owner.ts';
import type { SignInClaims } from '../../contract/sign-ins.ts';
import { toAccount } from '../../rows/account-rows.ts';
import { bytesAt } from '../../rows/columns.ts';
import { encodeEnvironments, toInvitation } from '../../rows/member-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { created, removed } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { lockAccount } from '../locks.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { developerHash } from '../users/directories.ts';
import { removeMail } from '../users/waiting-mails.ts';
import { largeRead, type Setting, smallRead } from '../verb.ts';
import { enrol, findById, insertMember, joinedEntry } from './members.ts';

const columns =
  'invitation_id, account_id, role, environments, email, inviter, maker_id, invitations.created_at AS created_at, expires_at';

function* add(
  { account }: Setting,
  invitationHash: Uint8Array,
  invitation: Invitation,
  openMax: number,
): Steps<WithAuditEntry<'added' | 'no_account' | 'no_authority' | 'too_many'>> {
  const { accountId, makerId, createdAt } = invitation;
  // The account is locked, so that it is not deleted, no concurrent step counts, and the inviter does not change in the meantime.
  if (account === undefined) return unchanged('no_account');
  if (makerId !== null) {
    const maker = yield* findById(accountId, makerId);
    if (maker === undefined || !mayGrant(maker, invitation)) return unchanged('no_authority');
  }
  const open = yield* one('SELECT count(*) AS open FROM invitations WHERE account_id = $1 AND expires_at > $2', [
    accountId,
    createdAt,
  ]);
  if (Number(open.open) >= openMax) return unchanged('too_many');
  // Two invitations with the same hash are a fault of the caller and fail.
  yield* all(
    `INSERT INTO invitations (invitation_hash, invitation_id, account_id, role, environments, email, inviter, maker_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      invitationHash,
      invitation.invitationId,
      accountId,
      invitation.role,
      encodeEnvironments(invitation.environments),
      encodeOptional(invitation.email),
      encodeOptional(invitation.inviter),
      makerId,
      createdAt,
      invitation.expiresAt,
    ],
  );
  const { role, environments, email } = invitation;
  const target = `invitations/${invitation.invitationId}`;
  return withAuditEntry('added', {
    action: 'invitation.create',
    target,
    detail: created({ role, environments, email }),
  });
}

function* list(_: Setting, accountId: string, now: number): Steps<readonly Invitation[]> {
  // A row for each valid one.
  const rows = yield* all(
    `SELECT ${columns} FROM invitations WHERE account_id = $1 AND expires_at > $2 ORDER BY created_at DESC, invitation_id DESC`,
    [accountId, now],
  );
  return rows.map(toInvitation);
}

function* find(
  _: Setting,
  invitationHash: Uint8Array,
  now: number,
): Steps<{ readonly invitation: Invitation; readonly account: Account } | undefined> {
  // No row: no such invitation, it expired, or its account was deleted.
  const row = yield* first(
    `SELECT ${columns}, name, idp_tenant_id, accounts.created_at AS account_created_at, require_second_factor, suspended_at, signed_out_at
     FROM invitations JOIN accounts USING (account_id) WHERE invitation_hash = $1 AND expires_at > $2`,
    [invitationHash, now],
  );
  return row && { invitation: toInvitation(row), account: toAccount({ ...row, created_at: row.account_created_at }) };
}

/** Of two parallel uses, the second waits for the account, and finds that the invitation or the room is gone. */
function* accept(
  setting: Setting,
  invitationHash: Uint8Array,
  issuer: string,
  subject: string,
  claims: SignInClaims,
  now: number,
  membersMax: number,
): Steps<WithAuditEntry<AcceptOutcome>> {
  const found = yield* find(setting, invitationHash, now);
  if (found === undefined) return unchanged({ kind: 'unknown' });
  const { accountId } = found.account;
  if ((yield* lockAccount(accountId)) === undefined) return unchanged({ kind: 'unknown' });
  // No row: it was used or withdrawn in the meantime.
  const held = yield* first(`SELECT ${columns} FROM invitations WHERE invitation_hash = $1 FOR UPDATE`, [invitationHash]);
  if (held === undefined) return unchanged({ kind: 'unknown' });
  const { role, environments, email, invitationId } = toInvitation(held);
  const isInvited = email === null || (claims.email !== null && isSameEmail(email, claims.email));
  if (!isInvited) return unchanged({ kind: 'other_email' });
  yield* enrol(accountId);
  const members = yield* one('SELECT count(*) AS members FROM members WHERE account_id = $1', [accountId]);
  const isFull = Number(members.members) >= membersMax;
  const member = { accountId, issuer, subject, role, environments, ...claims, joinedAt: now, lastSeenAt: now };
  const memberId = yield* insertMember(member);
  if (memberId === undefined) return unchanged({ kind: 'member' });
  if (isFull) {
    // One row, always.
    yield* all('DELETE FROM members WHERE account_id = $1 AND developer_hash = $2', [
      accountId,
      developerHash(issuer, subject),
    ]);
    return unchanged({ kind: 'too_many' });
  }
  if (role === 'owner') yield* linkDeveloper(accountId, issuer, subject);
  // One row, always.
  yield* all('DELETE FROM invitations WHERE invitation_hash = $1', [invitationHash]);
  yield* removeMail(invitationHash);
  return withAuditEntry({ kind: 'joined', account: found.account }, joinedEntry(memberId, member, invitationId));
}

/** Nodes of 0.1.0 would create a new account for an owner who is not linked to one. They treat every developer they know as an owner. */
function* linkDeveloper(accountId: string, issuer: string, subject: string): Steps<void> {
  // No change: the developer is linked to another account.
  yield* all(
    `INSERT INTO developers (developer_hash, issuer, subject, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (developer_hash) DO NOTHING`,
    [developerHash(issuer, subject), encodeText(issuer), encodeText(subject), accountId],
  );
}

function* withdraw(_: Setting, accountId: string, invitationId: string): Steps<WithAuditEntry<'withdrawn' | 'unknown'>> {
  // No row: the account has no such invitation.
  const row = yield* first('DELETE FROM invitations WHERE account_id = $1 AND invitation_id = $2 RETURNING *', [
    accountId,
    invitationId,
  ]);
  if (row === undefined) return unchanged('unknown');
  yield* removeMail(bytesAt(row, 'invitation_hash'));
  const { role, environments, email } = toInvitation(row);
  const detail = removed({ role, environments, email });
  return withAuditEntry('withdrawn', { action: 'invitation.withdraw', target: `invitations/${invitationId}`, detail });
}

export const invitationVerbs = {
  /**
   * `invitationHash` is the SHA-256 of the token in the link. `too_many` if the account has `openMax` unexpired invitations; `no_authority`
   * if the inviter is no longer a member or lacks the authority being granted.
   */
  addInvitation: audited(add, (_, { accountId }) => ofAccount(accountId)),
  /** All invitations of an account that are valid at `now`, newest first. */
  listInvitations: largeRead(list, ofAccount),
  /** An invitation that is valid at `now`, with its account. The invitation is not used up. */
  findInvitation: smallRead(find),
  /**
   * Makes the developer a member of the account, which then has at most `membersMax`, and spends the invitation, in one step: of parallel
   * uses, exactly one gets `joined`. The new member is the actor. `claims` come from the sign-in and include a verified address.
   */
  acceptInvitation: audited(accept, 'in its steps'),
  /** Deletes an unused invitation of the account. */
  withdrawInvitation: audited(withdraw, ofAccount),
};
