/**
 * The hosted login pages on the wire. What they need is loaded when somebody first asks for one: a service whose users are
 * signed in holds none of it in memory.
 */
import { type Operation, operations, type PageId } from '@holdfast/contract';
import { memoised } from '../../common/memoised.ts';
import type { Federation } from '../../identity/built-in/federation.ts';
import type { IdTokenIssuer } from '../../identity/built-in/id-tokens.ts';
import type { Passkeys } from '../../identity/built-in/passkeys.ts';
import type { PasswordIdentity } from '../../identity/built-in/passwords.ts';
import type { HandOver } from '../../identity/hand-over.ts';
import type { Authorize } from '../../oauth/authorize.ts';
import type { Handlers } from '../exchange.ts';

/** Who signs people in: the built-in identity provider, or an issuer elsewhere with a page of its own. */
export type IdentityProvider =
  | {
      readonly kind: 'built_in';
      readonly passwords: PasswordIdentity;
      readonly passkeys: Passkeys;
      readonly federation: Federation;
      readonly idTokens: Pick<IdTokenIssuer, 'issue'>;
    }
  | { readonly kind: 'outside'; readonly handOver: HandOver };

export interface LoginParts {
  readonly authorize: Pick<Authorize, 'check'>;
  readonly baseUrl: () => string;
  readonly authFrontUrl: () => string;
  /** 32 bytes that no other part of the service uses. */
  readonly csrfKey: Uint8Array;
  readonly developerSignup: 'open' | 'closed';
  readonly loadProvider: () => Promise<IdentityProvider>;
}

const pageIds = (Object.entries(operations) as [PageId, Operation][]).filter(([, { page }]) => page).map(([id]) => id);

/** The handlers of the login pages. */
export function loginHandlers(parts: LoginParts): Handlers {
  const pages = memoised(async () => {
    const { createPages } = await import('./login-pages.ts');
    return createPages(parts, await parts.loadProvider());
  });
  return Object.fromEntries(pageIds.map((id) => [id, async (exchange) => (await pages())[id](exchange)])) as Handlers;
}
