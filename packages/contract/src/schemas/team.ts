/** Records of members and invitations. */
import Type from 'typebox';
import { invitationIdPattern, memberIdPattern } from '../identifiers.ts';
import { emailCharactersMax, membersMax, openInvitationsMax } from '../limits.ts';
import { roles } from '../roles.ts';
import { AccountId, MemberRoleName, Name, nullable, RoleEnvironments, Time, text } from './fields.ts';
import { pattern } from './patterns.ts';

export const MemberId = Type.String({
  ...pattern(memberIdPattern, 'the id of a member: mem_ followed by letters and digits'),
  description: 'Identifier of a member.',
});
export const InvitationId = Type.String({
  ...pattern(invitationIdPattern, 'the id of an invitation: inv_ followed by letters and digits'),
  description: 'Identifier of an invitation; not secret.',
});

export const MemberBody = Type.Object({
  memberId: MemberId,
  email: nullable(Type.String({ description: 'The verified email address of the last sign-in; null if there was none.' })),
  name: nullable(Type.String({ description: 'The name from the identity provider; null if it gave none.' })),
  role: MemberRoleName,
  environments: RoleEnvironments,
  joinedAt: Time,
  lastSeenAt: nullable(Time),
});
export type MemberBody = Type.Static<typeof MemberBody>;
export const MemberListBody = Type.Object({
  items: Type.Array(MemberBody, { maxItems: membersMax, description: 'All members, in order of joining.' }),
});
export const ChangeMemberBody = Type.Object(
  { role: Type.Optional(MemberRoleName), environments: Type.Optional(RoleEnvironments) },
  { minProperties: 1, description: 'At least one of the two. An omitted field stays as it is.' },
);
export type ChangeMemberBody = Type.Static<typeof ChangeMemberBody>;

const invitedEmail = nullable(
  text(emailCharactersMax, {
    description:
      'The only verified email address that can use the invitation; null for any. It cannot be your own. Addresses are equal if they differ only in the case of A–Z before the `@`, or in forms of the domain that UTS 46 maps to one ASCII form. An address with letters before the `@` that look like ASCII letters is refused, unless a developer signs in with it.',
  }),
);
const invitation = {
  id: InvitationId,
  role: MemberRoleName,
  environments: RoleEnvironments,
  email: invitedEmail,
  expiresAt: Time,
};
export const CreateInvitationBody = Type.Object({
  role: MemberRoleName,
  environments: Type.Optional(RoleEnvironments),
  email: Type.Optional(invitedEmail),
});
export type CreateInvitationBody = Type.Static<typeof CreateInvitationBody>;
export const CreatedInvitationBody = Type.Object({
  ...invitation,
  url: Type.String({ description: 'The link that opens the invitation: shown only once, stored as a hash.' }),
});
export type CreatedInvitationBody = Type.Static<typeof CreatedInvitationBody>;
export const OpenInvitationBody = Type.Object({
  ...invitation,
  inviter: nullable(Type.String({ description: 'The name of the inviter; null for the operator of the service.' })),
  createdAt: Time,
});
export type OpenInvitationBody = Type.Static<typeof OpenInvitationBody>;
export const InvitationListBody = Type.Object({
  items: Type.Array(OpenInvitationBody, {
    maxItems: openInvitationsMax,
    description: 'All open invitations, newest first.',
  }),
});

export const DeveloperAccountBody = Type.Object({
  accountId: AccountId,
  name: Name,
  role: Type.Enum([...roles], { description: "The role of the token's holder in the account." }),
});
export type DeveloperAccountBody = Type.Static<typeof DeveloperAccountBody>;
export const DeveloperAccountListBody = Type.Object({
  items: Type.Array(DeveloperAccountBody, { description: 'The accounts, in order of joining.' }),
});
