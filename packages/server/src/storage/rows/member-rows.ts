/** Turns rows of members and invitations into records. */
import { type Authority, type Environment, memberRoles } from '@holdfast/contract';
import type { Invitation } from '../contract/invitations.ts';
import type { Member } from '../contract/members.ts';
import {
  decodedTextAt,
  integerAt,
  jsonAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  type Row,
  textAt,
  wordAt,
} from './columns.ts';

export const encodeEnvironments = (environments: Authority['environments']): string | null =>
  environments === null ? null : JSON.stringify(environments);

export const environmentsAt = (row: Row): Authority['environments'] =>
  row.environments === null ? null : jsonAt<Environment[]>(row, 'environments');

export const toInvitation = (row: Row): Invitation => ({
  invitationId: textAt(row, 'invitation_id'),
  accountId: textAt(row, 'account_id'),
  role: wordAt(row, 'role', memberRoles),
  environments: environmentsAt(row),
  email: optionalDecodedTextAt(row, 'email'),
  inviter: optionalDecodedTextAt(row, 'inviter'),
  makerId: optionalTextAt(row, 'maker_id'),
  createdAt: integerAt(row, 'created_at'),
  expiresAt: integerAt(row, 'expires_at'),
});

export const toMember = (row: Row): Member => ({
  accountId: textAt(row, 'account_id'),
  memberId: optionalTextAt(row, 'member_id'),
  subject: decodedTextAt(row, 'subject'),
  role: wordAt(row, 'role', memberRoles),
  environments: environmentsAt(row),
  name: optionalDecodedTextAt(row, 'name'),
  email: optionalDecodedTextAt(row, 'email'),
  joinedAt: integerAt(row, 'joined_at'),
  lastSeenAt: optionalIntegerAt(row, 'last_seen_at'),
});
