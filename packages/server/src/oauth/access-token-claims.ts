/** The claims of an access token. @see docs/contract.md §7.8 */
import { environments } from '@holdfast/contract';
import type { JWTPayload } from 'jose';
import type { DeveloperPrincipal, EndUserPrincipal, TokenPrincipal } from '../access/principal.ts';

/** The client of every developer token. @see docs/contract.md §7.1 */
export const developerClientId = 'svc-developer';

export interface VerifiedToken {
  readonly kind: 'verified';
  readonly principal: TokenPrincipal;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

/** Returns the principal that the claims of a signed token name, or undefined when they are not those of an access token. */
export function readClaims(claims: JWTPayload): VerifiedToken | undefined {
  const { sub, jti, exp, svc_role: role, svc_account_id: accountId, email, name } = claims;
  if (!isText(sub) || !isText(jti) || !isText(accountId) || exp === undefined) return undefined;
  const credential = { credentialId: jti, expiresAtMs: exp * 1000, accountId };
  const principal =
    role === 'developer'
      ? developerOf(claims, sub, credential)
      : role === 'end_user'
        ? endUserOf(claims, sub, credential)
        : undefined;
  if (principal === undefined) return undefined;
  return { kind: 'verified', principal, email: isText(email) ? email : undefined, name: isText(name) ? name : undefined };
}

type Credential = Pick<TokenPrincipal, 'credentialId' | 'expiresAtMs' | 'accountId'>;

function developerOf(claims: JWTPayload, subject: string, credential: Credential): DeveloperPrincipal | undefined {
  if (claims.client_id !== developerClientId) return undefined;
  return { kind: 'developer', ...credential, subject };
}

function endUserOf(claims: JWTPayload, subject: string, credential: Credential): EndUserPrincipal | undefined {
  const { svc_project_slug: slug, svc_environment: named, user_id: userId, client_id: clientId, iat } = claims;
  const environment = environments.find((candidate) => candidate === named);
  if (!isText(slug) || environment === undefined || userId !== subject || iat === undefined) return undefined;
  if (clientId !== `${credential.accountId}.${slug}`) return undefined;
  return { kind: 'end_user', ...credential, slug, environment, userId: subject, issuedAtMs: iat * 1000 };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
