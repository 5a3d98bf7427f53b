/** Who sends a request, as proven by its credential. */
import type { ApiKeyAccess, ApiKeyKind, Environment } from '@holdfast/contract';

interface Credential {
  /** Names the credential in limits and logs. Not a secret. */
  readonly credentialId: string;
  /** When the credential expires, in milliseconds since the epoch; Infinity when it never does. */
  readonly expiresAtMs: number;
  readonly accountId: string;
}

export interface DeveloperPrincipal extends Credential {
  readonly kind: 'developer';
  readonly subject: string;
}

export interface EndUserPrincipal extends Credential {
  readonly kind: 'end_user';
  readonly slug: string;
  readonly environment: Environment;
  readonly userId: string;
  /** When the token was issued, in milliseconds since the epoch; tokens say it in whole seconds. */
  readonly issuedAtMs: number;
}

export interface ApiKeyPrincipal extends Credential {
  readonly kind: 'api_key';
  readonly keyId: string;
  readonly slug: string;
  readonly name: string;
  readonly start: string;
  readonly keyKind: ApiKeyKind;
  readonly access: ApiKeyAccess;
  readonly environments: readonly Environment[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export type TokenPrincipal = DeveloperPrincipal | EndUserPrincipal;
export type Principal = TokenPrincipal | ApiKeyPrincipal;
