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
      'Returns all members with their roles, in order of joining. `lastSeenAt` is when a member last signed in or refreshed tokens, accurate to an hour.',
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
      "Changes the role, or the environments that the role may change, or both. Nobody can grant more than their own rights, and only owners can change owners. It takes effect within a second on every node. The member's open invitations that exceed the new role end.",
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
      'Members of any role may leave; removing somebody else requires `admin`, or `owner` for an owner. The tokens, sessions, change streams and open invitations of the member end within a second. API keys that the member created stay.',
    access: ['developer'],
    needs: 'self',
    audit: 'member.remove',
    success: noContent('Removed from the account.'),
    codes: [...admission, 'last_owner', 'upgrade_unfinished'],
  },
  createInvitation: {
    method: 'POST',
    path: invitations,
    tag: 'Team',
    summary: 'Invite somebody to the account',
    description:
      'Creates a link that lets one developer join the account with a role, once, within 7 days. Nobody can grant more than their own rights. With `email`, only a developer with that verified address can use it, and the link is mailed there if the service sends mail: up to 20 mails per account and day. An account has at most 100 open invitations.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'invitation.create',
    body: json('CreateInvitationBody'),
    success: { 201: { description: 'The invitation; its link is shown only once.', schema: 'CreatedInvitationBody' } },
    codes: [...admission, ...reading, 'limit_reached', 'upgrade_unfinished'],
  },
  listInvitations: {
    method: 'GET',
    path: invitations,
    tag: 'Team',
    summary: 'List the open invitations',
    description: 'Returns the unused invitations that have not expired, newest first, without their links.',
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
    description: 'Its link stops working immediately, even on a page that is already open.',
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
      "Returns the accounts of the access token's developer, with the role in each, in order of joining. A token is valid for one account: sign in again with another `account_id` to change it. For the operator or a service account, it returns only their own account.",
    access: ['developer'],
    needs: 'self',
    success: { 200: { description: 'The accounts.', schema: 'DeveloperAccountListBody' } },
    codes: ['unauthorized', 'forbidden', 'rate_limited', 'service_unavailable'],
    ...metered,
  },
} as const satisfies Record<string, Operation>;
