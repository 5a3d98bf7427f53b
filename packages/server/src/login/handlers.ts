/**
 * The handlers of the hosted login pages. What they need is loaded when somebody first asks for one: a service whose users are
 * signed in already has none of it in memory.
 */
import { type Operation, operations, type PageId } from '@holdfast/contract';
import { memoised } from '../common/memoised.ts';
import type { Handlers } from '../http/exchange.ts';
import type { LoginParts } from './parts.ts';

const pageIds = (Object.entries(operations) as [PageId, Operation][]).filter(([, { page }]) => page).map(([id]) => id);

/** The handlers of the login pages. */
export function loginHandlers(parts: LoginParts): Handlers {
  const pages = memoised(async () => {
    const { createLoginRoutes } = await import('./routes.ts');
    return createLoginRoutes(parts, await parts.loadProvider());
  });
  return Object.fromEntries(pageIds.map((id) => [id, async (exchange) => (await pages())[id](exchange)])) as Handlers;
}
