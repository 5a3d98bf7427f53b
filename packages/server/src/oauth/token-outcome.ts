/** What the token endpoint answers: tokens, or an error in the form of RFC 6749. */
import { type TokenBody, type TokenErrorCode, tokenErrorCodes } from '@holdfast/contract';
import type { Static } from 'typebox';
import type { Grant, RefreshFamily, SignInClaims } from '../storage/sign-in-store.ts';
import { operatorSubject, type TokenSigner } from './access-token.ts';
import { refreshTokenText } from './secret-text.ts';

export interface Tokens extends Static<typeof TokenBody> {
  readonly kind: 'tokens';
}

export interface TokenError {
  readonly kind: 'error';
  readonly status: number;
  readonly error: TokenErrorCode;
  readonly description: string;
}

export type TokenOutcome = Tokens | TokenError;

/** An error in the form of RFC 6749 §5.2, with the status of its code, or another one where the contract says so. */
export function tokenError(
  error: TokenErrorCode,
  description: string,
  status: number = tokenErrorCodes[error].status,
): TokenError {
  return { kind: 'error', status, error, description };
}

/** Signs an access token for what was granted, with the claims of the sign-in. */
export function signAccessToken(signer: TokenSigner, grant: Grant, claims: SignInClaims, seconds: number): string {
  const { accountId, slug, environment, subject } = grant;
  const person = { email: claims.email ?? undefined, name: claims.name ?? undefined };
  if (slug === null || environment === null) {
    // Only the command of the operator makes codes with this subject: nobody signs in with it.
    const actsAs = subject === operatorSubject ? 'operator' : undefined;
    return signer.signDeveloperToken({ accountId, subject, actsAs, ...person, seconds });
  }
  return signer.signEndUserToken({ accountId, slug, environment, seconds, userId: subject, ...person });
}

/** The token response. `secret` is that of the refresh token. */
export function tokens(
  { familyId, scope }: RefreshFamily,
  accessToken: string,
  accessTokenSeconds: number,
  secret: string,
): Tokens {
  return {
    kind: 'tokens',
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshTokenText(familyId, secret),
    scope,
  };
}
