/** Accounts, projects and API keys on the wire: each handler names its domain function and status. */

import { operations, reachOf } from '@holdfast/contract';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import type { Sealer } from '../../common/secrets/sealer.ts';
import * as accounts from '../../management/accounts.ts';
import * as apiKeys from '../../management/api-keys.ts';
import * as projects from '../../management/projects.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply, type Reply } from '../replies/reply.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';

const ok = <Content>(body: Content): Reply<200, Content> => jsonReply(200, body, neverKept);
const created = <Content>(body: Content): Reply<201, Content> => jsonReply(201, body, neverKept);
const done = (): Reply<204, undefined> => emptyReply(204, neverKept);

export interface ManagementParts {
  readonly store: Store;
  /** Whether people sign in at an outside issuer. */
  readonly isOutsideIssuer: boolean;
  readonly keySealer: Sealer;
}

/** The handlers of management. */
export function managementHandlers({ store, isOutsideIssuer, keySealer }: ManagementParts): Handlers {
  return {
    readAccount: async ({ params }) => ok(await accounts.readAccount(store, params.accountId)),
    updateAccount: async ({ params, body, by }) =>
      ok(await accounts.updateAccount(store, by(), params.accountId, body, isOutsideIssuer)),
    deleteAccount: async ({ params }) => {
      await accounts.deleteAccount(store, params.accountId);
      return done();
    },

    listProjects: async ({ params: { accountId }, query }) => {
      const scope = `projects of ${accountId}`;
      const request = parsePageRequest(parseFormText(query), scope);
      return ok(pageBody(await projects.listProjects(store, accountId, request), scope));
    },
    createProject: async ({ params, body, by }) =>
      created(await projects.createProject(store, by(), params.accountId, body)),
    readProject: async ({ params }) => ok(await projects.readProject(store, params)),
    updateProject: async ({ params, body, by, principal }) =>
      ok(await projects.updateProject(store, by(), params, body, principal.role === 'owner')),
    deleteProject: async ({ params, by, principal }) => {
      await projects.deleteProject(store, by(), params, principal.role === 'owner');
      return done();
    },

    listApiKeys: async ({ params, principal }) => {
      const mayMake = reachOf(principal, operations.createApiKey.needs, undefined) === 'reaches';
      return ok(await apiKeys.listApiKeys(store, params, mayMake ? keySealer : undefined));
    },
    createApiKey: async ({ params, body, by }) => created(await apiKeys.createApiKey(store, by(), params, body, keySealer)),
    revokeApiKey: async ({ params, by }) => {
      await apiKeys.revokeApiKey(store, by(), params, params.keyId);
      return done();
    },
    readApiKeyInfo: ({ principal }) => ok(apiKeys.describeApiKey(principal)),
  };
}
