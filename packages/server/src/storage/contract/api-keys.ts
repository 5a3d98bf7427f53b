/** Records of API keys. */
import type { ApiKeyAccess, ApiKeyKind, Environment } from '@holdfast/contract';
import type { ProjectKey } from './projects.ts';

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
