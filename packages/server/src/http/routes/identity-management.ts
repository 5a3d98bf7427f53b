/** The developer's view of who signs people in, and of who signed in. */
import type { IdentityProviders } from '../../management/identity-providers.ts';
import { deleteUser, listUsers } from '../../management/users.ts';
import { parseFormText } from '../../oauth/parameters.ts';
import type { FederationStore, IdentityProviderKey } from '../../storage/federation-store.ts';
import type { Exchange, Handlers } from '../exchange.ts';
import { emptyReply, jsonReply, type Reply } from '../reply.ts';
import { bodyReader } from '../wire/body.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';

const readProvider = bodyReader('ReplaceIdentityProviderBody');

export interface IdentityManagementParts {
  readonly store: Pick<FederationStore, 'listUsers' | 'deleteUser'>;
  readonly loadProviders: () => Promise<IdentityProviders>;
}

/** These records name people: nothing between here and the caller may keep them. */
const neverKept = ['Cache-Control', 'no-store'] as const;
const ok = (body: unknown): Reply => jsonReply(200, body, neverKept);
const done = (): Reply => emptyReply(204, neverKept);

const accountId = ({ params }: Exchange): string => params.accountId as string;
const key = ({ params }: Exchange): IdentityProviderKey => ({
  accountId: params.accountId as string,
  providerId: params.providerId as string,
});

/** The handlers of identity providers and users. */
export function identityManagementHandlers({ store, loadProviders }: IdentityManagementParts): Handlers {
  return {
    listIdentityProviders: async (exchange) => ok(await (await loadProviders()).list(accountId(exchange))),
    readIdentityProvider: async (exchange) => ok(await (await loadProviders()).read(key(exchange))),
    replaceIdentityProvider: async (exchange) =>
      ok(await (await loadProviders()).write(key(exchange), await readProvider(exchange.body))),
    deleteIdentityProvider: async (exchange) => {
      await (await loadProviders()).delete(key(exchange));
      return done();
    },
    listUsers: async (exchange) => {
      const scope = `users of ${accountId(exchange)}`;
      const request = parsePageRequest(parseFormText(exchange.query), scope);
      return ok(pageBody(await listUsers(store, accountId(exchange), request), scope));
    },
    deleteUser: async (exchange) => {
      await deleteUser(store, accountId(exchange), exchange.params.userId as string);
      return done();
    },
  };
}
