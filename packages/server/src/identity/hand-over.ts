/**
 * Sign-in at an outside issuer, whose pages replace this service's. The browser is sent there with a code flow and returns with an
 * ID token, which the callback treats like that of any issuer.
 */

import { isLoopback } from '../common/net/loopback.ts';
import type { Sealer } from '../common/secrets/sealer.ts';
import type { Store } from '../storage/store.ts';
import { type Browser, createTickets } from './tickets.ts';
import {
  beginCodeFlow,
  connect,
  describeFault,
  finishCodeFlow,
  keptConnection,
  type NetworkAccess,
  refusedReason,
} from './upstream-client.ts';
import {
  type AuthorizationFlow,
  type BeginOutcome,
  type Expired,
  openReturned,
  type Refused,
  type Returned,
  redirectAway,
} from './upstream-round-trip.ts';

type HandOverOutcome =
  | { readonly kind: 'id_token'; readonly idToken: string; readonly returnQuery: string }
  | Refused
  | Expired;

interface HandOverStart {
  /** Set for a player client; null for developers. */
  readonly tenantId: string | null;
  readonly browser: Browser;
  readonly returnQuery: string;
  /** The languages that the application requested, if any. */
  readonly uiLocales: string | null;
}

export interface HandOver {
  /** `unavailable` if the issuer cannot be reached or has no sign-in page. */
  begin(start: HandOverStart): Promise<BeginOutcome>;
  finish(returned: Returned): Promise<HandOverOutcome>;
}

export interface HandOverOptions extends Sealer {
  readonly store: Pick<Store, 'spendTicket'>;
  readonly issuer: string;
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret: string | null;
  /** The parameter that tells the issuer the tenant of players; `scope` adds the tenant to the scopes. */
  readonly tenantParameter: string;
  readonly redirectUri: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with the reason why a sign-in failed, in one line. */
  readonly onFault: (fault: string) => void;
  readonly fetch?: NetworkAccess['fetch'];
}

const scope = 'openid email profile';

/** Returns sign-in at the service's one configured issuer. */
export function createHandOver(options: HandOverOptions): HandOver {
  const { issuer, clientId, clientSecret: secret, redirectUri, now, onFault, fetch = globalThis.fetch } = options;
  const tickets = createTickets<AuthorizationFlow>({ ...options, kind: 'hand-over' });
  const network: NetworkAccess = { fetch, mayUseLoopback: isLoopback(new URL(issuer).hostname) };
  const connected = keptConnection(() => connect({ issuer, clientId, secret }, network, now), now);

  return {
    async begin(start) {
      try {
        const parameters = { redirect_uri: redirectUri(), ...requestOf(options.tenantParameter, start) };
        const { location, flow } = await beginCodeFlow(await connected(), parameters);
        return redirectAway(tickets, start.browser, location, { ...flow, returnQuery: start.returnQuery });
      } catch (fault) {
        onFault(describeFault(fault));
        return { kind: 'unavailable' };
      }
    },
    async finish(returned) {
      const opened = await openReturned(tickets, returned);
      if (opened.kind !== 'returned') return opened;
      const { flow } = opened;
      const { returnQuery } = flow;
      try {
        const answer = { redirectUri: redirectUri(), parameters: returned.parameters, flow };
        const { id_token: idToken } = await finishCodeFlow(await connected(), answer);
        return { kind: 'id_token', idToken: idToken as string, returnQuery };
      } catch (fault) {
        onFault(describeFault(fault));
        return { kind: 'refused', returnQuery, reason: refusedReason(fault) };
      }
    },
  };
}

function requestOf(tenantParameter: string, { tenantId, uiLocales }: HandOverStart): Record<string, string> {
  const request: Record<string, string> = { scope };
  if (uiLocales !== null) request.ui_locales = uiLocales;
  if (tenantId === null) return request;
  if (tenantParameter === 'scope') return { ...request, scope: `${scope} ${tenantId}` };
  return { ...request, [tenantParameter]: tenantId };
}
