/** Where a webhook sends, and the secrets that sign: one encrypted value in the store. */

import { randomBytes } from 'node:crypto';
import type { Sealer } from '../common/secrets/sealer.ts';
import type { WebhookKey } from '../storage/contract/webhooks.ts';

export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** The previous secret, which also signs until a given time. */
  readonly previous?: { readonly secret: string; readonly until: number };
}

/** Encrypts a target for its webhook. */
export interface TargetSealer {
  seal(target: WebhookTarget, key: Pick<WebhookKey, 'accountId' | 'webhookId'>): Uint8Array;
  /** Throws if the value was made for another webhook, or with another secret key. */
  open(sealed: Uint8Array, key: Pick<WebhookKey, 'accountId' | 'webhookId'>): WebhookTarget;
}

/** Returns the sealer of targets. `recordOf` names the record of a webhook. */
export function createTargetSealer(
  sealer: Sealer,
  recordOf: (key: Pick<WebhookKey, 'accountId' | 'webhookId'>) => string,
): TargetSealer {
  return {
    seal: (target, key) => sealer.seal(Buffer.from(JSON.stringify(target)), recordOf(key)),
    open: (sealed, key) => JSON.parse(Buffer.from(sealer.open(sealed, recordOf(key))).toString()) as WebhookTarget,
  };
}

export const secretPrefix = 'whsec_';
/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** Returns a new secret. */
export const generateWebhookSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
