/** The developer's view of identity providers and users. @see docs/contract.md §8.6 and §8.7 */

import { parseFormText } from '../../common/requests/form-parameters.ts';
import type { IdentityProviders } from '../../management/identity-providers.ts';
import { deleteUser, listUsers } from '../../management/users.ts';
import type { Store } from '../../storage/store.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply, type Reply } from '../replies/reply.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';

export interface IdentityManagementParts {
  readonly store: Pick<Store, 'listUsers' | 'deleteUser'>;
  readonly loadProviders: () => Promise<IdentityProviders>;
}

/** These records name people: intermediaries must not cache them. */
const ok = <Content>(body: Content): Reply<200, Content> => jsonReply(200, body, neverKept);
const done = (): Reply<204, undefined> => emptyReply(204, neverKept);

type IdentityManagementId =
  | 'listIdentityProviders'
  | 'readIdentityProvider'
  | 'replaceIdentityProvider'
  | 'deleteIdentityProvider'
  | 'listUsers'
  | 'deleteUser';

/** The handlers of identity providers and users. */
export function identityManagementHandlers({
  store,
  loadProviders,
}: IdentityManagementParts): HandlersOf<IdentityManagementId> {
  return {
    listIdentityProviders: async ({ params }) => ok(await (await loadProviders()).list(params.accountId)),
    readIdentityProvider: async ({ params }) => ok(await (await loadProviders()).read(params)),
    replaceIdentityProvider: async ({ params, body, by }) => ok(await (await loadProviders()).write(by(), params, body)),
    deleteIdentityProvider: async ({ params, by }) => {
      await (await loadProviders()).delete(by(), params);
      return done();
    },
    listUsers: async ({ params: { accountId }, query }) => {
      const scope = `users of ${accountId}`;
      const request = parsePageRequest(parseFormText(query), scope);
      return ok(pageBody(await listUsers(store, accountId, request), scope));
    },
    deleteUser: async ({ params, by }) => {
      await deleteUser(store, by(), params.accountId, params.userId);
      return done();
    },
  };
}
