/** Reads members, invitations and service accounts of the account. */
import type { CallResult } from '@holdfast/contract/call';
import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { keyOf } from './query-key.ts';

export type Member = CallResult<'listMembers'>['items'][number];
export type Invitation = CallResult<'listInvitations'>['items'][number];
export type CreatedInvitation = CallResult<'createInvitation'>;
export type ServiceAccount = CallResult<'listServiceAccounts'>['items'][number];
export type CreatedServiceAccount = CallResult<'createServiceAccount'>;

export const membersQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('listMembers', { accountId }),
    queryFn: async () => (await call('listMembers', { params: { accountId } })).items,
  });

export const invitationsQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('listInvitations', { accountId }),
    queryFn: async () => (await call('listInvitations', { params: { accountId } })).items,
  });

export const serviceAccountsQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('listServiceAccounts', { accountId }),
    queryFn: async () => (await call('listServiceAccounts', { params: { accountId } })).items,
  });

/** The signed-in user's accounts, with the role in each. */
export const accountsQuery = queryOptions({
  queryKey: keyOf('listDeveloperAccounts', undefined),
  staleTime: 60_000,
  queryFn: async () => (await call('listDeveloperAccounts')).items,
});
