/** The claims of an access token. @see docs/contract.md §7.8 */
import { environments, serviceAccountIdPattern } from '@holdfast/contract';
import type { JWTPayload } from 'jose';
import type { ActsAs, DeveloperCredential, PlayerPrincipal, TokenCredential } from '../access/principal.ts';
import { isStrong } from '../access/rules/account-status.ts';
import { developerClientId, playerClientId } from '../common/ids/client-id.ts';
import { playerMark } from '../common/ids/player-hash.ts';

/** The subject of operator tokens. It cannot sign in. */
export const operatorSubject = 'operator';

/** The claim of a token that does not act for a person. The subject alone is not enough. */
export const actsAsClaim = 'svc_acts_as';
/** The claim that names the secret that a service account's token was issued for. The token is valid only while the secret is. */
export const secretIdClaim = 'svc_secret_id';
const actors = ['operator', 'service_account'] as const satisfies readonly ActsAs[];
export type Actor = (typeof actors)[number];

/** The claim of a guest's token. A player who was once a guest keeps the id, without this claim. */
export const guestClaim = 'svc_guest';

/** The claim with the epoch of a player's tokens: tokens of earlier epochs are no longer valid. */
export const epochClaim = 'svc_epoch';

export interface VerifiedToken {
  readonly kind: 'verified';
  readonly principal: TokenCredential;
  /** In milliseconds since the epoch; tokens hold whole seconds. */
  readonly issuedAtMs: number;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

/**
 * Returns the principal that the claims of a signed token name, or undefined if they are not those of an access token. A token of a session
 * is valid for `sessionSeconds` at most.
 */
export function readClaims(claims: JWTPayload, sessionSeconds: number): VerifiedToken | undefined {
  const { sub, jti, sid, exp, svc_role: role, svc_account_id: accountId, email, name } = claims;
  if (!isText(sub) || !isText(jti) || !isText(accountId) || exp === undefined) return undefined;
  const issuedAtMs = (claims.iat ?? 0) * 1000;
  const sessionId = isText(sid) ? sid : undefined;
  const lastMs = sessionId === undefined ? Number.POSITIVE_INFINITY : issuedAtMs + sessionSeconds * 1000;
  const credential = { credentialId: jti, sessionId, expiresAtMs: Math.min(exp * 1000, lastMs), accountId };
  const principal =
    role === 'developer'
      ? developerOf(claims, sub, credential)
      : role === 'end_user'
        ? playerOf(claims, sub, credential)
        : undefined;
  if (principal === undefined) return undefined;
  return {
    kind: 'verified',
    principal,
    issuedAtMs,
    email: isText(email) ? email : undefined,
    name: isText(name) ? name : undefined,
  };
}

type Credential = Pick<TokenCredential, 'credentialId' | 'sessionId' | 'expiresAtMs' | 'accountId'>;

function developerOf(claims: JWTPayload, subject: string, credential: Credential): DeveloperCredential | undefined {
  const actsAs = actsAsOf(claims);
  if (actsAs === undefined) return undefined;
  if (actsAs === 'service_account') return serviceAccountOf(claims, subject, credential);
  if (claims.client_id !== developerClientId) return undefined;
  const { auth_time: signedInAt } = claims;
  const strong = Array.isArray(claims.amr) && isStrong(claims.amr.join(' '));
  return {
    kind: 'developer',
    ...credential,
    subject,
    actsAs,
    ...(isNumber(signedInAt) && { signedInAtMs: signedInAt * 1000 }),
    ...(strong && { secondFactor: true as const }),
  };
}

/** A service account is its own client. */
function serviceAccountOf(claims: JWTPayload, subject: string, credential: Credential): DeveloperCredential | undefined {
  const { client_id: clientId, [secretIdClaim]: secretId } = claims;
  if (clientId !== subject || !serviceAccountIdPattern.test(subject) || !isText(secretId)) return undefined;
  return { kind: 'developer', ...credential, subject, actsAs: 'service_account', secretId };
}

/** Returns the kind of actor, or undefined for an unknown claim. */
function actsAsOf(claims: JWTPayload): ActsAs | undefined {
  const claim = claims[actsAsClaim];
  if (claim === undefined) return isOldOperatorToken(claims) ? 'operator' : 'member';
  return actors.find((actor) => actor === claim);
}

const hourSeconds = 60 * 60;

/**
 * Releases up to 0.1.0 sign operator tokens without the claim: for whole hours, without email and name. Sign-in could then give the subject
 * to a developer too, but only for their own account; those tokens live for `SVC_ACCESS_TOKEN_SECONDS`.
 */
function isOldOperatorToken({ sub, iat, exp, email, name }: JWTPayload): boolean {
  if (sub !== operatorSubject || email !== undefined || name !== undefined) return false;
  return iat !== undefined && exp !== undefined && (exp - iat) % hourSeconds === 0;
}

function playerOf(claims: JWTPayload, subject: string, credential: Credential): PlayerPrincipal | undefined {
  const { svc_project_slug: slug, svc_environment: named, user_id: userId, client_id: clientId, iat } = claims;
  const environment = environments.find((candidate) => candidate === named);
  if (!isText(slug) || environment === undefined || userId !== subject || iat === undefined) return undefined;
  if (clientId !== playerClientId({ accountId: credential.accountId, slug })) return undefined;
  const { auth_time: signedInAt, [epochClaim]: epoch } = claims;
  return {
    kind: 'end_user',
    ...credential,
    slug,
    environment,
    userId: subject,
    isGuest: claims[guestClaim] === true,
    issuedAtMs: iat * 1000,
    epoch: isNumber(epoch) ? epoch : undefined,
    signedInAtMs: isNumber(signedInAt) ? signedInAt * 1000 : undefined,
    playerMark: playerMark(credential.accountId, subject),
  };
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
