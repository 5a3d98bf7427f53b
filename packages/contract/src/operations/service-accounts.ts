/** Service accounts, which act in an account without a person. They cannot call these operations. */
import type { Operation } from '../operation.ts';
import { admission, json, noContent, reading } from './shared.ts';

const all = '/v1/{accountId}/service-accounts';

export const serviceAccountOperations = {
  listServiceAccounts: {
    method: 'GET',
    path: all,
    tag: 'Service accounts',
    summary: 'List service accounts',
    description: 'Returns all service accounts with their secrets, which are stored as hashes and never shown again.',
    access: ['developer'],
    needs: 'read_access',
    success: { 200: { description: 'All service accounts, newest first.', schema: 'ServiceAccountListBody' } },
    codes: admission,
  },
  createServiceAccount: {
    method: 'POST',
    path: all,
    tag: 'Service accounts',
    summary: 'Create a service account',
    description:
      'Creates an identity for a build, a deployment or a server, with a first secret. Only this response contains the secret, in `clientSecret`: store it. At the token endpoint, `grant_type=client_credentials` exchanges it for an access token. Its role and environments cannot exceed those of its creator. `expiresAt` is in the future; without it, the service account does not expire. An account has at most 100.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'service_account.create',
    body: json('CreateServiceAccountBody'),
    success: {
      201: { description: 'The service account; its secret is shown only once.', schema: 'CreatedServiceAccountBody' },
    },
    codes: [...admission, ...reading, 'limit_reached', 'upgrade_unfinished'],
  },
  readServiceAccount: {
    method: 'GET',
    path: `${all}/{serviceAccountId}`,
    tag: 'Service accounts',
    summary: 'Read a service account',
    description: 'Returns the service account, with the time of its last use, accurate to a minute.',
    access: ['developer'],
    needs: 'read_access',
    success: { 200: { description: 'The service account.', schema: 'ServiceAccountBody' } },
    codes: admission,
  },
  deleteServiceAccount: {
    method: 'DELETE',
    path: `${all}/{serviceAccountId}`,
    tag: 'Service accounts',
    summary: 'Delete a service account',
    description: 'Its secrets and access tokens are rejected immediately, by other nodes within a second.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'service_account.delete',
    success: noContent('Deleted.'),
    codes: admission,
  },
  createServiceAccountSecret: {
    method: 'POST',
    path: `${all}/{serviceAccountId}/secrets`,
    tag: 'Service accounts',
    summary: 'Add a secret to a service account',
    description:
      'Creates a second secret that works alongside the first. Deploy it, check in `lastUsedAt` that it is used, then delete the first. A service account has at most two.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'service_account_secret.create',
    success: { 201: { description: 'The secret, shown only once.', schema: 'CreatedServiceAccountSecretBody' } },
    codes: [...admission, 'limit_reached'],
  },
  deleteServiceAccountSecret: {
    method: 'DELETE',
    path: `${all}/{serviceAccountId}/secrets/{secretId}`,
    tag: 'Service accounts',
    summary: 'Delete a secret of a service account',
    description:
      'The secret, and the access tokens issued for it, are rejected immediately, by other nodes within a second. Tokens issued for the other secret stay valid.',
    access: ['developer'],
    needs: 'manage_access',
    audit: 'service_account_secret.delete',
    success: noContent('Deleted.'),
    codes: admission,
  },
} as const satisfies Record<string, Operation>;
