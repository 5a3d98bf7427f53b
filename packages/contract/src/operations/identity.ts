/** Identity providers and users of an account. */
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, paging, reading } from './parts.ts';

export const identityOperations = {
  listIdentityProviders: {
    method: 'GET',
    path: '/v1/{accountId}/identity-providers',
    tag: 'Identity',
    summary: 'List the identity providers of the account',
    description: 'Returns what the account has configured. Secrets come in and never go out.',
    access: ['developer'],
    success: { 200: { description: 'All of them, without their secrets.', schema: 'IdentityProviderListBody' } },
    codes: admission,
  },
  readIdentityProvider: {
    method: 'GET',
    path: '/v1/{accountId}/identity-providers/{providerId}',
    tag: 'Identity',
    summary: 'Read an identity provider',
    description: 'Returns the settings of one provider, with `redirectUri`, which is what to register there.',
    access: ['developer'],
    success: { 200: { description: 'The provider, without its secret.', schema: 'IdentityProviderBody' } },
    codes: admission,
  },
  replaceIdentityProvider: {
    method: 'PUT',
    path: '/v1/{accountId}/identity-providers/{providerId}',
    tag: 'Identity',
    summary: 'Configure an identity provider',
    description:
      'Creates the provider, or replaces its settings. End users are offered it in the projects whose `allowedIdps` name it. A secret that is not sent stays as it was, but not for another issuer.',
    access: ['developer'],
    body: json('ReplaceIdentityProviderBody'),
    success: { 200: { description: 'The provider, without its secret.', schema: 'IdentityProviderBody' } },
    codes: [...admission, ...reading],
  },
  deleteIdentityProvider: {
    method: 'DELETE',
    path: '/v1/{accountId}/identity-providers/{providerId}',
    tag: 'Identity',
    summary: 'Remove an identity provider',
    description: 'Its users stay, and are known again when it is configured again.',
    access: ['developer'],
    success: noContent('Gone, and its secret with it.'),
    codes: admission,
  },
  listUsers: {
    method: 'GET',
    path: '/v1/{accountId}/users',
    tag: 'Identity',
    summary: 'List the users of the account, newest first',
    description: 'The end users who sign in through the built-in identity provider.',
    access: ['developer'],
    query: paging,
    success: { 200: { description: 'A page.', schema: 'UserListBody' } },
    codes: admission,
    ...metered,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/v1/{accountId}/users/{userId}',
    tag: 'Identity',
    summary: 'Delete a user with everything that signs the user in',
    description:
      'Password, passkeys, links to providers and refresh tokens of every project go. State stays until it is deleted by project, under the user id.',
    access: ['developer'],
    success: noContent('Gone. Access tokens that are out live on until they expire.'),
    codes: admission,
    ...metered,
  },
} as const satisfies Record<string, Operation>;
