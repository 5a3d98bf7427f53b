/** Sign-in on the wire: the OAuth endpoints. @see docs/contract.md §7.2 */

import type { IncomingHttpHeaders } from 'node:http';
import { basicChallenge, challengeHeader } from '../../common/requests/challenge.ts';
import { type Parameters, readParameters } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { IdTokenIssuer } from '../../identity/built-in/id-tokens.ts';
import { blockName } from '../../limits/client-address.ts';
import { readInvitation } from '../../management/invitations.ts';
import type { Authorize } from '../../oauth/authorize.ts';
import { authorizationServerMetadata } from '../../oauth/metadata.ts';
import { logOut, type Revoke } from '../../oauth/revocation.ts';
import { sessionLabelOf } from '../../oauth/session-label.ts';
import { readTokenForm, type TokenOutcome, type TokenRequest } from '../../oauth/token.ts';
import type { TokenError } from '../../oauth/token-error.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { keptForFiveMinutes, neverKept } from '../replies/caching.ts';
import { errorPageReply } from '../replies/error-page.ts';
import { type ErrorReply, emptyReply, jsonReply, type Reply } from '../replies/reply.ts';
import type { RecordOf } from '../wire/record-body.ts';

export interface SignInParts {
  readonly store: Pick<Store, 'revokeRefreshFamily' | 'findInvitation'>;
  readonly now: () => number;
  readonly authorize: Authorize;
  /** Returns the headers that delete a sign-in's invitation from the browser; `form` is the callback's. */
  readonly forgetInvitation: (form: Parameters, headers: IncomingHttpHeaders) => readonly string[];
  readonly exchangeToken: (request: TokenRequest) => Promise<TokenOutcome>;
  /** Returns a nonce for a guest's assertion. */
  readonly authNonce: () => string;
  readonly revoke: Revoke;
  readonly baseUrl: () => string;
  readonly authFrontUrl: () => string;
}

/** The handlers of sign-in. */
export function signInHandlers(parts: SignInParts): Handlers {
  const { store, authorize, baseUrl, authFrontUrl } = parts;
  return {
    readAuthorizeContext: async ({ query }) => jsonReply(200, await authorize.readContext(query), neverKept),
    completeAuthorize: async ({ readForm, headers, by }) => {
      const form = await readForm();
      const outcome = await authorize.complete(form, by());
      if (outcome.kind === 'error_page') return errorPageReply(outcome.message);
      return redirectReply(
        outcome.location,
        outcome.isInvitationUsed ? parts.forgetInvitation(readParameters(form), headers) : [],
      );
    },
    readNonce: async () => emptyReply(204, [...neverKept, 'Auth-Nonce', parts.authNonce()]),
    readInvitation: async ({ readForm }) => {
      const form = readParameters(await readForm());
      const token = form.repeated.has('invitation') ? undefined : form.get('invitation');
      if (token === undefined) throw new Refusal('validation_error', 'the form must have exactly one field "invitation"');
      return jsonReply(200, await readInvitation(store, token, parts.now()), neverKept);
    },
    exchangeToken: async ({ readForm, headers, clientName, count }) => {
      const body = await readTokenForm(readForm);
      if (!(body instanceof URLSearchParams)) {
        await count.address();
        return tokenReply(body);
      }
      const idempotencyKey = headers['idempotency-key']?.toString(); // several values are joined with a comma and a space
      const { authorization } = headers;
      const sessionLabel = sessionLabelOf(blockName(clientName), headers['user-agent']);
      return tokenReply(
        await parts.exchangeToken({ body, idempotencyKey, authorization, clientName, sessionLabel, count }),
      );
    },
    revokeToken: async ({ readForm, headers: { authorization }, count }) => {
      const body = await readTokenForm(readForm);
      if (!(body instanceof URLSearchParams)) {
        await count.address();
        return tokenErrorReply(body);
      }
      const error = await parts.revoke({ body, authorization, count });
      return error === undefined ? emptyReply(200, neverKept) : tokenErrorReply(error);
    },
    logOut: async ({ body }) => {
      await logOut(store, body.refreshToken, parts.now());
      return emptyReply(204, neverKept);
    },
    readAuthorizationServer: () =>
      jsonReply(200, authorizationServerMetadata({ baseUrl: baseUrl(), authFrontUrl: authFrontUrl() }), keptForFiveMinutes),
  };
}

/** The code in the address must not be cached, or sent to other sites as a referrer. */
function redirectReply(location: string, headers: readonly string[]): Reply<303, undefined> {
  return emptyReply(303, [...neverKept, 'Referrer-Policy', 'no-referrer', ...headers, 'Location', location]);
}

/** @see RFC 6749 §5.1 and §5.2 */
function tokenReply(outcome: TokenOutcome): Reply<200, RecordOf<'TokenBody'>> | ErrorReply {
  if (outcome.kind === 'tokens') {
    const { kind: _, familyId: __, ...body } = outcome;
    return jsonReply(200, body, [...neverKept, 'Pragma', 'no-cache']);
  }
  return tokenErrorReply(outcome);
}

function tokenErrorReply({ status, error, description, isBasic }: TokenError): ErrorReply {
  const challenge =
    status === 401 ? ['WWW-Authenticate', isBasic ? basicChallenge : challengeHeader({ kind: 'none' })] : [];
  return { ...jsonReply(status, { error, error_description: description }, [...neverKept, ...challenge]), code: error };
}

/** Returns the handlers of the built-in identity provider's metadata and keys, for verifying its ID tokens like any issuer's. */
export function identityHandlers(load: () => Promise<Pick<IdTokenIssuer, 'metadata' | 'jwks'>>): Handlers {
  return {
    readIdentityMetadata: async () => jsonReply(200, (await load()).metadata(), keptForFiveMinutes),
    readIdentityJwks: async () => jsonReply(200, await (await load()).jwks(), keptForFiveMinutes),
  };
}
