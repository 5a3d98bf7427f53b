/** The body of a request, as its operation takes it. */
import type { Owner } from '../common/fair-queue.ts';
import type { Awaitable } from '../storage/store.ts';
import { type Reading, readBytes, readForm, readJson } from './body.ts';
import type { RequestContext } from './request-context.ts';
import type { Route } from './router.ts';

type Routed = RequestContext & { readonly route: Route };

/**
 * Reads the body, for an operation that takes JSON; an operation that takes a form reads it itself. `owner` says whose budget it counts
 * against. Rejects with what the body is refused for.
 */
export function readBodyOf(reading: Reading, context: Routed, owner: () => Owner): Awaitable<void> {
  const { body, precondition, page, method } = context.route.operation;
  if (body?.mediaType === 'application/json') {
    return (precondition || body.asSent ? keepBytes : readRecord)(reading, context, owner);
  }
  if (body !== undefined || (page && method === 'POST')) {
    context.readForm = () => readForm(context, { ...reading, owner });
  }
  return undefined;
}

async function keepBytes(reading: Reading, context: Routed, owner: () => Owner): Promise<void> {
  context.bodyBytes = await readBytes(context, { ...reading, ...context.route.operation.body, owner });
}

async function readRecord(reading: Reading, context: Routed, owner: () => Owner): Promise<void> {
  const value = await readJson(context, { ...reading, owner });
  context.body = await context.route.readRecord?.(value);
}
