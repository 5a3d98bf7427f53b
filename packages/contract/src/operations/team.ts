/** Members, roles and invitations of an account. Unmetered, except for a developer's requests about all accounts. */
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, reading } from './shared.ts';

const members = '/v1/{accountId}/members';
const invitations = '/v1/{accountId}/invitations';

export const teamOperations = {
  listMembers: {
    method: 'GET',
    path: members,
    tag: 'Team',
    summary: 'List the members of the account',
    description:
      'Returns everybody who is a member, with role; who joined first comes first. `lastSeenAt` is when a member last signed in or refreshed tokens, right to an hour.',
    access: ['developer'],
    needs: 'read_members',
    success: { 200: { description: 'All members.', schema: 'MemberListBody' } },
    codes: admission,
  },
  patchMember: {
    method: 'PATCH',
    path: `${members}/{memberId}`,
    tag: 'Team',
    summary: 'Change the role of a member',
    description:
      'Changes the role, or the environments in which the role changes things, or both. Nobody gives more than they may do themselves, and only owners change owners. It holds within a second on every node. Open invitations of the member that go beyond the new role end.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'member.update',
    body: json('ChangeMemberBody'),
    success: { 200: { description: 'The member.', schema: 'MemberBody' } },
    codes: [...admission, ...reading, 'last_owner', 'upgrade_unfinished'],
  },
  deleteMember: {
    method: 'DELETE',
    path: `${members}/{memberId}`,
    tag: 'Team',
    summary: 'Remove a member, or leave the account',
    description:
      'Members of any role may leave; removing somebody else takes `admin`, for an owner `owner`. The tokens, sessions, change streams and open invitations of the member end within a second. API keys that the member made stay.',
    access: ['developer'],
    needs: 'self',
    audit: 'member.remove',
    success: noContent('No member any more.'),
    codes: [...admission, 'last_owner', 'upgrade_unfinished'],
  },
  createInvitation: {
    method: 'POST',
    path: invitations,
    tag: 'Team',
    summary: 'Invite somebody to the account',
    description:
      'Makes a link that lets one developer join the account with a role, once, within 7 days. Nobody can grant more than their own rights. With `email`, only somebody whose verified address that is can use it, and the link is mailed there, if the service sends mail: 20 mails for each account and day. An account has at most 100 open invitations.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'invitation.create',
    body: json('CreateInvitationBody'),
    success: { 201: { description: 'The invitation; its link is shown this once.', schema: 'CreatedInvitationBody' } },
    codes: [...admission, ...reading, 'limit_reached', 'upgrade_unfinished'],
  },
  listInvitations: {
    method: 'GET',
    path: invitations,
    tag: 'Team',
    summary: 'List the open invitations',
    description: 'Returns those that nobody has used and that have not expired, newest first, without their links.',
    access: ['developer'],
    needs: 'read_access',
    success: { 200: { description: 'All open invitations.', schema: 'InvitationListBody' } },
    codes: admission,
  },
  deleteInvitation: {
    method: 'DELETE',
    path: `${invitations}/{invitationId}`,
    tag: 'Team',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working immediately, even for somebody who has its page open.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'invitation.withdraw',
    success: noContent('Withdrawn.'),
    codes: admission,
  },
  listDeveloperAccounts: {
    method: 'GET',
    path: '/v1/developer/accounts',
    tag: 'Team',
    summary: 'List the accounts of the developer',
    description:
      'Returns the accounts that the developer of the access token is a member of, with the role in each; which was joined first comes first. A token is good for one account: sign in again with `account_id` for another one. A token of the operator or of a service account has its own account only.',
    access: ['developer'],
    needs: 'self',
    success: { 200: { description: 'The accounts.', schema: 'DeveloperAccountListBody' } },
    codes: ['unauthorized', 'forbidden', 'rate_limited', 'service_unavailable'],
    ...metered,
  },
} as const satisfies Record<string, Operation>;
