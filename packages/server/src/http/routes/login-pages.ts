/** What every login page answers, by its operation. */
import type { PageId } from '@holdfast/contract';
import { type Parameters, readParameters } from '../../oauth/parameters.ts';
import type { Exchange, Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { IdentityProvider, LoginParts } from './login.ts';
import { federatedPages } from './login-federated.ts';
import { outsidePages } from './login-outside.ts';
import { passkeyPages } from './login-passkey.ts';
import { passwordPages } from './login-password.ts';
import { seeOther } from './login-reply.ts';
import { resetPages } from './login-reset.ts';
import { createReception, isReply, type Reception, type Visitor } from './login-visit.ts';
import { createWays, type Ways } from './login-ways.ts';

export type BuiltIn = Extract<IdentityProvider, { kind: 'built_in' }>;

/** What the pages of the built-in provider share. */
export interface Pages {
  readonly reception: Reception;
  readonly provider: BuiltIn;
  readonly ways: Ways;
  /** A page that is asked for. */
  show(make: (visitor: Visitor, exchange: Exchange) => Promise<Reply> | Reply): Handler;
  /** An answer to a form of a page. */
  take(make: (visitor: Visitor, form: Parameters, exchange: Exchange) => Promise<Reply> | Reply): Handler;
}

/** Returns the handlers of all login pages. Those of the built-in provider are not found while another one signs in. */
export function createPages(parts: LoginParts, provider: IdentityProvider): Readonly<Record<PageId, Handler>> {
  const reception = createReception(parts);
  if (provider.kind === 'outside') return outsidePages(reception, provider.handOver);
  const ways = createWays(parts, reception, provider);
  const pages: Pages = { reception, provider, ways, ...wrappers(reception) };
  return {
    readLoginPage: async (exchange) => {
      const elsewhere = reception.elsewhere(exchange);
      if (elsewhere !== undefined) return seeOther(`${elsewhere}?${exchange.query}`);
      const show = (visitor: Visitor) =>
        visitor.parameters.get('prompt') === 'create' ? visitor.goTo('/authorize/sign-up') : ways.show(visitor);
      return pages.show(show)(exchange);
    },
    ...passwordPages(pages),
    ...resetPages(pages),
    ...passkeyPages(pages),
    ...federatedPages(pages),
  };
}

function wrappers(reception: Reception): Pick<Pages, 'show' | 'take'> {
  return {
    show: (make) => async (exchange) => {
      reception.demandServed(exchange);
      const visitor = await reception.receive(exchange);
      return isReply(visitor) ? visitor : make(visitor, exchange);
    },
    take: (make) => async (exchange) => {
      reception.demandServed(exchange);
      const form = readParameters(await exchange.readForm());
      const refusal = reception.refuseForm(exchange, form, exchange.query);
      if (refusal !== undefined) return refusal;
      const visitor = await reception.receive(exchange);
      return isReply(visitor) ? visitor : make(visitor, form, exchange);
    },
  };
}
