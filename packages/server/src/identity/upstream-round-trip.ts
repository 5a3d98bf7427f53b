/** An authorization flow: a browser is sent to an identity provider and returns. Shared by all such flows. */
import type { Browser, Tickets } from './tickets.ts';
import { type CodeFlow, isAnswerTo, type RefusedReason } from './upstream-client.ts';

export type BeginOutcome =
  /** The browser must return `flow` in a cookie, together with `state`. */
  | { readonly kind: 'redirect'; readonly location: string; readonly flow: string; readonly state: string }
  | { readonly kind: 'unavailable' };

/** The values with which the browser returns. */
export interface Returned {
  /** Of the query, or of a posted form. */
  readonly parameters: URLSearchParams;
  readonly flow: string | undefined;
  readonly browser: Browser | undefined;
}

export interface Refused {
  readonly kind: 'refused';
  readonly returnQuery: string;
  readonly reason: RefusedReason;
  /** The flow is still under way: the parameters were not meant for it. */
  readonly isOpen?: true;
}
/** Of another browser, expired, or used. `returnQuery` is where a flow of this browser began. */
export interface Expired {
  readonly kind: 'expired';
  readonly returnQuery?: string;
}

/** The sealed content of the cookie. */
export interface AuthorizationFlow extends CodeFlow {
  readonly returnQuery: string;
}

/** Returns where to send the browser and its sealed flow; `unavailable` if that is too long for a cookie. */
export function redirectAway<Content extends AuthorizationFlow>(
  tickets: Tickets<Content>,
  browser: Browser,
  location: string,
  flow: Content,
): BeginOutcome {
  const sealed = tickets.issue(browser, flow);
  return sealed === undefined ? { kind: 'unavailable' } : { kind: 'redirect', location, flow: sealed, state: flow.state };
}

/**
 * Returns the flow of a returning browser, once. Parameters of another flow, or a flow that `isHere` denies, are refused and leave this
 * flow open, since a stranger may have sent them.
 */
export async function openReturned<Content extends AuthorizationFlow>(
  tickets: Tickets<Content>,
  { parameters, flow: sealed, browser }: Returned,
  isHere: (flow: Content) => boolean = () => true,
): Promise<{ readonly kind: 'returned'; readonly flow: Content } | Refused | Expired> {
  if (sealed === undefined || browser === undefined) return { kind: 'expired' };
  const expired = (flow: Content | undefined): Expired => ({
    kind: 'expired',
    ...(flow !== undefined && isAnswerTo(flow, parameters) && { returnQuery: flow.returnQuery }),
  });
  const ticket = tickets.open(browser, sealed);
  if (ticket === undefined) return expired(tickets.peek(browser, sealed));
  const { content: flow } = ticket;
  if (!isAnswerTo(flow, parameters) || !isHere(flow)) {
    return { kind: 'refused', returnQuery: flow.returnQuery, reason: 'invalid', isOpen: true };
  }
  return (await ticket.spend()) ? { kind: 'returned', flow } : expired(flow);
}
