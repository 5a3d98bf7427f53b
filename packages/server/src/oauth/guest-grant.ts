/**
 * The grant of guests: exchanges an assertion, which a device signs with its own key, for an access token. There is no refresh token: the
 * device signs again.
 *
 * @see docs/contract.md §7.14, RFC 7523 §2.1 and §3.1
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { parseScope } from '../common/ids/client-id.ts';
import type { PlayerAccess, PlayerKey } from '../storage/contract/players.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { RefreshOptions } from './refresh.ts';
import { blocked, type Grant, useNonce } from './token.ts';
import { tokenError } from './token-error.ts';

/** The guest that an assertion proves, or the reason for rejecting it. */
export type GuestOutcome =
  | { readonly kind: 'guest'; readonly userId: string }
  | { readonly kind: 'use_nonce' }
  | { readonly kind: 'bad_assertion'; readonly description: string };

export interface GuestGrantOptions extends Pick<RefreshOptions, 'accessTokens' | 'accessTokenSeconds'> {
  /** Whether a guest may have a token, and of which epoch. */
  readonly accessOf: (player: PlayerKey) => Awaitable<PlayerAccess>;
  readonly guests: {
    admit(request: {
      readonly project: ProjectKey;
      readonly clientId: string;
      readonly environment: Environment;
      readonly scope: string;
      readonly assertion: string;
      readonly clientName: string;
    }): Promise<GuestOutcome>;
  };
}

/** Exchanges an assertion for an access token. */
export function createGuestGrant({ guests, accessOf, accessTokens, accessTokenSeconds }: GuestGrantOptions): Grant {
  return async (form, { clientId, guestsOf: project }, { clientName }) => {
    if (project === undefined) return noGuests;
    const assertion = form.get('assertion');
    if (assertion === undefined) return tokenError('invalid_request', 'assertion is missing');
    const scope = form.get('scope');
    if (scope === undefined) return tokenError('invalid_request', 'scope is missing');
    const environment = parseScope(scope);
    if (environment === undefined) return tokenError('invalid_scope', 'the scope is not env:{environment}');
    // Before the assertion is spent, so that a request that fails without the key can be repeated.
    const signer = await accessTokens.signer();
    const outcome = await guests.admit({ project, clientId, environment, scope, assertion, clientName });
    if (outcome.kind === 'use_nonce') return useNonce;
    if (outcome.kind === 'bad_assertion') return tokenError('invalid_grant', outcome.description);
    const { userId } = outcome;
    const { epoch, isBlocked } = await accessOf({ ...project, environment, playerId: userId });
    if (isBlocked) return blocked;
    const seconds = accessTokenSeconds;
    return {
      kind: 'tokens',
      access_token: signer.signPlayerToken({ ...project, environment, userId, isGuest: true, epoch, seconds }),
      token_type: 'Bearer',
      expires_in: seconds,
      scope,
    };
  };
}

const noGuests = tokenError(
  'unauthorized_client',
  'the project lets no guests in: its sign-in settings do not name "anonymous" in allowedIdps',
);
