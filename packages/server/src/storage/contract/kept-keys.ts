/**
 * Records for changing the secret key: sealed values, which are listed and replaced one by one, and the parts of earlier secret keys that
 * are still needed.
 */
import type { WebhookKey } from './webhooks.ts';

/** The purpose for sealing values that are keys themselves (secrets/sealer.ts). */
export const keptKeyPurpose = 'kept-key';

/** A key that hashed recovery codes, and cannot be derived from a secret key in use. */
export interface KeptKey {
  /** The SHA-256 of the key, in hexadecimal. */
  readonly keyId: string;
  /** The key, encrypted; opaque to the store. */
  readonly sealedKey: Uint8Array;
  readonly createdAt: number;
}

/** The record that a kept key is sealed for. */
export const keptKeyRecord = ({ keyId }: Pick<KeptKey, 'keyId'>): string => keyId;

/** Names the sealed URL and secrets of a webhook. */
export const webhookPurpose = 'webhook';
export const webhookRecord = ({ accountId, webhookId }: Pick<WebhookKey, 'accountId' | 'webhookId'>): string =>
  JSON.stringify([accountId, webhookId]);

/** The kinds of records with a sealed value, and the columns that find one. */
export const sealedRecords = {
  signing_keys: { field: 'sealed_private_jwk', key: ['key_id'] },
  identity_providers: { field: 'sealed_secret', key: ['directory_id', 'provider_id'] },
  second_factors: { field: 'sealed_secret', key: ['directory_id', 'user_id'] },
  kept_keys: { field: 'sealed_key', key: ['key_id'] },
  api_keys: { field: 'sealed_key', key: ['account_id', 'key_id'] },
  webhooks: { field: 'sealed_target', key: ['account_id', 'webhook_id'] },
} as const;

export type SealedKind = keyof typeof sealedRecords;
export const sealedKinds = Object.keys(sealedRecords) as SealedKind[];

/** A replacement for a sealed value. */
export interface Replacement {
  /** The values of the columns that find the record. */
  readonly key: readonly string[];
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}
