/** Fields of records that are sealed with the secret key of an installation, and the purpose of each. */

import type { IdentityProviderSettings } from '@holdfast/contract';
import { apiKeyRecord, publishableKeyPurpose } from '../storage/contract/api-keys.ts';
import { providerSecretRecord } from '../storage/contract/federation.ts';
import {
  keptKeyPurpose,
  keptKeyRecord,
  type SealedKind,
  sealedRecords,
  webhookPurpose,
  webhookRecord,
} from '../storage/contract/kept-keys.ts';
import { jsonAt, textAt } from '../storage/rows/columns.ts';
import type { TransferKind, TransferRecord } from '../storage/transfer/kinds.ts';

export interface SealedField {
  readonly field: string;
  /** The purpose of the seal (secrets/sealer.ts). */
  readonly purpose: string;
  /** The record to which the seal is bound. */
  recordId(record: TransferRecord): string;
}

/** The sealed field of each kind with one. */
export const sealedFields: Readonly<Record<SealedKind, SealedField>> = {
  signing_keys: {
    field: sealedRecords.signing_keys.field,
    purpose: 'signing-key',
    recordId: (record) => textAt(record, 'key_id'),
  },
  identity_providers: {
    field: sealedRecords.identity_providers.field,
    purpose: 'identity-provider',
    recordId(record) {
      const { issuer } = jsonAt<IdentityProviderSettings>(record, 'settings');
      return providerSecretRecord(
        { accountId: textAt(record, 'directory_id'), providerId: textAt(record, 'provider_id') },
        issuer,
      );
    },
  },
  kept_keys: {
    field: sealedRecords.kept_keys.field,
    purpose: keptKeyPurpose,
    recordId: (record) => keptKeyRecord({ keyId: textAt(record, 'key_id') }),
  },
  api_keys: {
    field: sealedRecords.api_keys.field,
    purpose: publishableKeyPurpose,
    recordId: (record) => apiKeyRecord({ accountId: textAt(record, 'account_id'), keyId: textAt(record, 'key_id') }),
  },
  webhooks: {
    field: sealedRecords.webhooks.field,
    purpose: webhookPurpose,
    recordId: (record) =>
      webhookRecord({ accountId: textAt(record, 'account_id'), webhookId: textAt(record, 'webhook_id') }),
  },
  second_factors: {
    field: sealedRecords.second_factors.field,
    purpose: 'second-factor',
    recordId: (record) => JSON.stringify([textAt(record, 'directory_id') || null, textAt(record, 'user_id')]),
  },
};

const byKind: Partial<Readonly<Record<TransferKind, SealedField>>> = sealedFields;

/** Returns the sealed field of a kind, if it has one. */
export const sealedFieldOf = (kind: TransferKind): SealedField | undefined => byKind[kind];
