/** Who asks: what a request's credential proved. */
import type { ApiKeyAccess, Environment } from '@holdfast/contract';

interface Credential {
  /** Names the credential, for limits and logs; no secret. */
  readonly credentialId: string;
  /** From this moment on the credential is rejected, in milliseconds since the epoch; Infinity when it never expires. */
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
  readonly access: ApiKeyAccess;
  readonly environments: readonly Environment[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export type TokenPrincipal = DeveloperPrincipal | EndUserPrincipal;
export type Principal = TokenPrincipal | ApiKeyPrincipal;
