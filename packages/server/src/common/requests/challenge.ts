/** The content of a 401: which credential is missing or rejected, and its `WWW-Authenticate`. @see docs/contract.md §3.3 */
import { type Challenge, Refusal } from './refusal.ts';

/** A 401 for a request without a credential. */
export function credentialMissing(): Refusal {
  return new Refusal('unauthorized', 'this route needs a credential in the header Authorization', {
    challenge: { kind: 'none' },
  });
}

/** A 401 for a credential of a kind that the route does not take: an API key, or else a token. It counts as none. */
export function credentialOfOtherKind(isApiKey: boolean): Refusal {
  const message = isApiKey
    ? 'this route takes no API keys: sign in, and send Authorization: Bearer TOKEN'
    : 'this route takes API keys only: send Authorization: ApiKey KEY';
  return new Refusal('unauthorized', message, { challenge: { kind: 'none' } });
}

/** A 401 for a credential that was rejected. `description` is a constant of this program. @see RFC 6750 §3.1 */
export function credentialRejected(description: string, cause?: unknown): Refusal {
  return new Refusal('unauthorized', `the credential was rejected: ${description}`, {
    challenge: { kind: 'invalid_token', description },
    cause,
  });
}

/** A 401 for a player's token whose sessions were ended. */
export const playerSignedOut = () => credentialRejected('the sessions of the player were ended: sign in again');

/**
 * Returns the value of `WWW-Authenticate` for a challenge. It always names Bearer, even where an API key is accepted.
 *
 * @see docs/contract.md §3.3, RFC 6750 §3
 */
export function challengeHeader(challenge: Challenge): string {
  return challenge.kind === 'none'
    ? 'Bearer'
    : `Bearer error="invalid_token", error_description="${challenge.description}"`;
}

/** The value of `WWW-Authenticate` for a client that has tried to authenticate by HTTP Basic. @see RFC 6749 §5.2, RFC 7617 §2 */
export const basicChallenge = 'Basic realm="Holdfast", charset="UTF-8"';
