/** Members and invitations on the wire. @see docs/contract.md §8.8 and §8.9 */

import { type InvitingOptions, inviteAs, listInvitations, withdrawInvitation } from '../../management/invitations.ts';
import { changeMember, listDeveloperAccounts, listMembers, removeMember } from '../../management/members.ts';
import type { Store } from '../../storage/store.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply, type Reply } from '../replies/reply.ts';

export interface TeamParts extends InvitingOptions {
  readonly store: Store;
}

/** These records name people, and invitation links are secret: intermediaries must not cache them. */
const ok = <Content>(body: Content): Reply<200, Content> => jsonReply(200, body, neverKept);
const created = <Content>(body: Content): Reply<201, Content> => jsonReply(201, body, neverKept);
const done = (): Reply<204, undefined> => emptyReply(204, neverKept);

type TeamId =
  | 'listMembers'
  | 'patchMember'
  | 'deleteMember'
  | 'createInvitation'
  | 'listInvitations'
  | 'deleteInvitation'
  | 'listDeveloperAccounts';

/** The handlers of members, invitations, and a developer's accounts. */
export function teamHandlers(parts: TeamParts): HandlersOf<TeamId> {
  const { store, issuer, now } = parts;
  return {
    listMembers: async ({ params }) => ok({ items: await listMembers(store, params.accountId) }),
    patchMember: async ({ params, body, principal, by }) => ok(await changeMember(store, by(), params, body, principal)),
    deleteMember: async ({ params, principal, by }) => {
      await removeMember(store, by(), params, principal);
      return done();
    },
    createInvitation: async ({ body, principal, headers, by }) =>
      created(await inviteAs(parts, by(), principal, body, headers['accept-language'])),
    listInvitations: async ({ params }) => ok({ items: await listInvitations(store, params.accountId, now()) }),
    deleteInvitation: async ({ params: { accountId, invitationId }, by }) => {
      await withdrawInvitation(store, by(), accountId, invitationId);
      return done();
    },
    listDeveloperAccounts: async ({ principal }) => ok({ items: await listDeveloperAccounts(store, issuer, principal) }),
  };
}
