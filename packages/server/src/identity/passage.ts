/** A browser's way to an identity provider and back: what both ends have in common. */
import type { OpenTicket, Tickets } from './tickets.ts';
import { type CodeFlow, isAnswerTo, type RefusedReason } from './upstream-client.ts';

export type BeginOutcome =
  /** `flow` is what the browser has to bring back in a cookie. */
  { readonly kind: 'redirect'; readonly location: string; readonly flow: string } | { readonly kind: 'unavailable' };

/** What the browser comes back with. */
export interface Returned {
  /** Of the query, or of a form that was posted. */
  readonly parameters: URLSearchParams;
  readonly flow: string | undefined;
  readonly browser: string | undefined;
}

export type Refused = { readonly kind: 'refused'; readonly returnQuery: string; readonly reason: RefusedReason };
/** Not of this browser, too late, or used before. */
export type Expired = { readonly kind: 'expired' };

/** What a flow carries through the browser, sealed. */
export interface Passage extends CodeFlow {
  readonly returnQuery: string;
}

/** Returns where the browser goes, with the flow that it carries; `unavailable` when that is too long for a cookie. */
export function departure<Content extends Passage>(
  tickets: Tickets<Content>,
  browser: string,
  location: string,
  passage: Content,
): BeginOutcome {
  const flow = tickets.issue(browser, passage);
  return flow === undefined ? { kind: 'unavailable' } : { kind: 'redirect', location, flow };
}

/**
 * Returns the passage that a browser has come back from, which it then cannot come back from again. An answer to another
 * one, or one that `isHere` denies, is refused and leaves this one open: it may be somebody else's doing.
 */
export async function arrival<Content extends Passage>(
  tickets: Tickets<Content>,
  { parameters, flow, browser }: Returned,
  isHere: (passage: Content) => boolean = () => true,
): Promise<{ readonly kind: 'arrived'; readonly passage: Content } | Refused | Expired> {
  const ticket: OpenTicket<Content> | undefined =
    flow === undefined || browser === undefined ? undefined : tickets.open(browser, flow);
  if (ticket === undefined) return { kind: 'expired' };
  const { content: passage } = ticket;
  if (!isAnswerTo(passage, parameters) || !isHere(passage)) {
    return { kind: 'refused', returnQuery: passage.returnQuery, reason: 'invalid' };
  }
  return (await ticket.spend()) ? { kind: 'arrived', passage } : { kind: 'expired' };
}
