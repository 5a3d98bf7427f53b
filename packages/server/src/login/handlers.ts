/**
 * The handlers of the hosted login pages. What they need is loaded when somebody first asks for one: a service whose users are
 * signed in already has none of it in memory.
 */
import { type Operation, operations, type PageId } from '@holdfast/contract';
import { memoised } from '../common/memoised.ts';
import type { Exchange, Handlers } from '../http/exchange.ts';
import { createPageTurns } from './page-turns.ts';
import type { LoginParts } from './parts.ts';

const pageIds = (Object.entries(operations) as [PageId, Operation][]).filter(([, { page }]) => page).map(([id]) => id);

/** Of about a millisecond each. */
const pagesPerTurn = 6;

/** The handlers of the login pages. */
export function loginHandlers(parts: LoginParts): Handlers {
  const pages = memoised(async () => {
    const { createLoginRoutes } = await import('./routes.ts');
    return createLoginRoutes(parts, await parts.loadProvider());
  });
  const turns = createPageTurns(pagesPerTurn);
  const handle = async (id: PageId, exchange: Exchange) => {
    await turns.next();
    // Forms that were completed at one moment go on in turns as well.
    const readForm = async () => {
      const form = await exchange.readForm();
      await turns.next();
      return form;
    };
    return (await pages())[id]({ ...exchange, readForm });
  };
  return Object.fromEntries(pageIds.map((id) => [id, (exchange) => handle(id, exchange)])) as Handlers;
}
