/** Records of accounts and API keys. */
import type { ApiKeyAccess, ApiKeyKind, Environment } from '@holdfast/contract';

/** A new account: it requires no second factor. */
export interface NewAccount {
  readonly accountId: string;
  readonly name: string;
  readonly idpTenantId: string;
  readonly createdAt: number;
}

export interface Account extends NewAccount {
  /** Whether its members must sign in with a second factor. */
  readonly requireSecondFactor: boolean;
  /** When the operator suspended it; null: it is not suspended. */
  readonly suspendedAt: number | null;
  /** When the operator last ended all its sessions; earlier access tokens are rejected. */
  readonly signedOutAt: number | null;
}

/** Changes to an account. Omitted fields stay as they are. */
export type AccountChanges = Partial<Pick<Account, 'name' | 'requireSecondFactor'>>;

export interface ProjectKey {
  readonly accountId: string;
  readonly slug: string;
}

/** An account as a list shows it. */
export interface ListedAccount extends Account {
  /** When one of its developers was last seen, to the hour; null for never. */
  readonly lastSeenAt: number | null;
}

/** The key was not created, because the project already has the maximum. */
export interface TooManyApiKeys {
  readonly kind: 'too_many';
  /** How many the project had. */
  readonly used: number;
}

/** An API key as stored: never the key itself, only its SHA-256. */
export interface ApiKey extends ProjectKey {
  readonly keyId: string;
  readonly name: string;
  /** The first characters of the key, to tell keys apart. */
  readonly start: string;
  /** A publishable key may be public. */
  readonly kind: ApiKeyKind;
  readonly access: ApiKeyAccess;
  readonly environments: readonly Environment[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  /** The operator's limit of requests per minute; 0 is unlimited, null applies the default from the settings. */
  readonly requestsPerMinute: number | null;
}

/** A key in the list of a project, with what shows a publishable key again. */
export interface ListedApiKey extends ApiKey {
  /** The SHA-256 of the key. */
  readonly keyHash: Uint8Array;
  /** The key, sealed; opaque to the store. Null for a secret key, and for one from before keys were sealed. */
  readonly sealedKey: Uint8Array | null;
}

/** The purpose for sealing publishable keys (secrets/sealer.ts). */
export const publishableKeyPurpose = 'publishable-key';

/** The record that a publishable key is sealed for. */
export const apiKeyRecord = ({ accountId, keyId }: Pick<ApiKey, 'accountId' | 'keyId'>): string =>
  JSON.stringify([accountId, keyId]);

/** When a key of an account was used. */
export interface ApiKeyUse {
  readonly accountId: string;
  readonly keyId: string;
  readonly usedAt: number;
}

/** A position in a list, newest first: a time of creation, and a tie-break that is unique for that time. */
export interface PagePosition {
  readonly createdAt: number;
  readonly tie: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position after which the next page begins; null at the end. */
  readonly next: PagePosition | null;
}

export interface PageRequest {
  readonly after: PagePosition | null;
  readonly itemsMax: number;
}
