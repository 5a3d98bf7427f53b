/**
 * The handlers of the hosted login pages. They are loaded for the first request, so that a service whose users are already signed in keeps
 * none of them in memory.
 */

import { type Operation, operations, type PageId } from '@holdfast/contract';
import { memoised } from '../common/async/memoised.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { createTurnBound } from '../common/turns/turn-bound.ts';
import type { Handler, HandlersOf } from '../http/operation-request.ts';
import type { LoginDependencies } from './login-dependencies.ts';

const pageIds = (Object.entries(operations) as [PageId, Operation][]).filter(([, { page }]) => page).map(([id]) => id);

/** A page takes about a millisecond, so hundreds of simultaneous requests would block the event loop. */
const pagesPerTurn = 6;

/** The handlers of the login pages. The pages of the built-in provider are not found if an outside issuer signs users in. */
export function loginHandlers(dependencies: LoginDependencies): HandlersOf<PageId> {
  const inTurn = createTurnBound(pagesPerTurn);
  const turn = () => new Promise<void>(inTurn);
  const pages = memoised(async () => {
    const { createLoginRoutes } = await import('./routes.ts');
    return createLoginRoutes(dependencies, turn, await dependencies.loadProvider());
  });
  const handlerOf =
    <Id extends PageId>(id: Id): Handler<Id> =>
    async (request) => {
      await turn();
      const handler: Handler<Id> | undefined = (await pages())[id];
      if (handler !== undefined) return handler(request);
      throw new Refusal('not_found', 'this page does not exist when an outside issuer is configured');
    };
  return Object.fromEntries(pageIds.map((id) => [id, handlerOf(id)])) as HandlersOf<PageId>; // by the ids of all pages
}
