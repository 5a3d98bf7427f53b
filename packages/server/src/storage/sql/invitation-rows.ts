/** Rows of invitations. */
import { type Authority, type Environment, memberRoles } from '@holdfast/contract';
import { integerAt, jsonAt, optionalTextAt, textAt, wordAt } from '../columns.ts';
import type { Invitation } from '../invitation-store.ts';
import { decodeOptional, type Row } from '../rows.ts';

export const encodeEnvironments = (environments: Authority['environments']): string | null =>
  environments === null ? null : JSON.stringify(environments);

export const environmentsAt = (row: Row): Authority['environments'] =>
  row.environments === null ? null : jsonAt<Environment[]>(row, 'environments');

export const toInvitation = (row: Row): Invitation => ({
  invitationId: textAt(row, 'invitation_id'),
  accountId: textAt(row, 'account_id'),
  role: wordAt(row, 'role', memberRoles),
  environments: environmentsAt(row),
  email: decodeOptional(row.email),
  inviter: decodeOptional(row.inviter),
  makerId: optionalTextAt(row, 'maker_id'),
  createdAt: integerAt(row, 'created_at'),
  expiresAt: integerAt(row, 'expires_at'),
});
