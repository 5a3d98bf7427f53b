/** Who sends a request, as proven by its credential. */
import type { ApiKeyAccess, ApiKeyKind, Authority, Environment } from '@holdfast/contract';

interface Credential {
  /** Names the credential in limits and logs. Not a secret. */
  readonly credentialId: string;
  /** When the credential expires, in milliseconds since the epoch; Infinity if it never does. */
  readonly expiresAtMs: number;
  readonly accountId: string;
}

/** Who acts with a developer token. Only a member signs in. */
export type ActsAs = 'member' | 'operator' | 'service_account';

/** What a developer token alone proves. */
export interface DeveloperCredential extends Credential {
  readonly kind: 'developer';
  /** The member's subject at the identity provider, or the name of a principal that is not a person. */
  readonly subject: string;
  readonly actsAs: ActsAs;
  /** Whether a member has signed in with a second factor. */
  readonly secondFactor?: true;
  /** When a member signed in, in milliseconds; undefined in tokens of earlier releases. */
  readonly signedInAtMs?: number;
  /** Names the session that the token belongs to (common/ids/session-id.ts), if it does. */
  readonly sessionId?: string | undefined;
  /** The secret that the token was issued for; only for service accounts. */
  readonly secretId?: string | undefined;
}

/** The same, with the authority of its holder. */
export interface DeveloperPrincipal extends DeveloperCredential, Authority {
  /** Null for a principal that is not a member. */
  readonly memberId: string | null;
  /** Its name for people, if known. */
  readonly name: string | null;
}

export interface PlayerPrincipal extends Credential {
  readonly kind: 'end_user';
  readonly slug: string;
  readonly environment: Environment;
  readonly userId: string;
  /** Whether it is a guest, who cannot sign in. */
  readonly isGuest: boolean;
  /** When the token was issued, in milliseconds since the epoch; tokens hold whole seconds. */
  readonly issuedAtMs: number;
  /** The epoch of the player's tokens at that time; undefined in tokens of earlier releases. */
  readonly epoch: number | undefined;
  /** When the player signed in, in milliseconds; undefined for guests, and in tokens of earlier releases. */
  readonly signedInAtMs: number | undefined;
  /** Names the session that the token belongs to (common/ids/session-id.ts); undefined for guests, and in tokens of earlier releases. */
  readonly sessionId?: string | undefined;
  /** Stands for the player in access changes (common/ids/player-hash.ts). */
  readonly playerMark: string;
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
  /** The protected environments of its project, which no API key may write. */
  readonly protectedEnvironments: readonly Environment[];
  /** Those where public state changes only through proposals. */
  readonly approvedEnvironments: readonly Environment[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** The limit that the operator has set for it; 0 is unlimited, and null follows the settings. */
  readonly requestsPerMinute: number | null;
}

/** What an access token alone proves. */
export type TokenCredential = DeveloperCredential | PlayerPrincipal;
export type Principal = DeveloperPrincipal | PlayerPrincipal | ApiKeyPrincipal;
