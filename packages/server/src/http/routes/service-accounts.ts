/** Service accounts on the wire. @see docs/contract.md §8.11 */

import * as serviceAccounts from '../../management/service-accounts.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply } from '../replies/reply.ts';

/** The handlers of service accounts. */
export function serviceAccountHandlers(store: Store): Handlers {
  return {
    listServiceAccounts: async ({ params }) =>
      jsonReply(200, await serviceAccounts.listServiceAccounts(store, params.accountId), neverKept),
    createServiceAccount: async ({ params, body, principal, by }) => {
      const created = await serviceAccounts.createServiceAccount(store, by(), params.accountId, body, principal);
      return jsonReply(201, created, neverKept);
    },
    readServiceAccount: async ({ params }) =>
      jsonReply(200, await serviceAccounts.readServiceAccount(store, params), neverKept),
    deleteServiceAccount: async ({ params, by }) => {
      await serviceAccounts.deleteServiceAccount(store, by(), params);
      return emptyReply(204, neverKept);
    },
    createServiceAccountSecret: async ({ params, by }) =>
      jsonReply(201, await serviceAccounts.createSecret(store, by(), params), neverKept),
    deleteServiceAccountSecret: async ({ params, by }) => {
      await serviceAccounts.deleteSecret(store, by(), params, params.secretId);
      return emptyReply(204, neverKept);
    },
  };
}
