/** Which fields of records are sealed with the secret key of an installation, and for what. */
import { jsonAt, textAt } from '../storage/columns.ts';
import { type IdentityProviderSettings, providerSecretRecord } from '../storage/federation-store.ts';
import type { TransferKind, TransferRecord } from '../storage/transfer.ts';

export interface SealedField {
  readonly field: string;
  /** What it is sealed for (secrets/sealer.ts). */
  readonly purpose: string;
  /** The record that it is sealed for. */
  recordId(record: TransferRecord): string;
}

/** The sealed field of each kind that has one. */
export const sealedFields: Partial<Readonly<Record<TransferKind, SealedField>>> = {
  signing_keys: {
    field: 'sealed_private_jwk',
    purpose: 'signing-key',
    recordId: (record) => textAt(record, 'key_id'),
  },
  identity_providers: {
    field: 'sealed_secret',
    purpose: 'identity-provider',
    recordId(record) {
      const { issuer } = jsonAt<IdentityProviderSettings>(record, 'settings');
      return providerSecretRecord(
        { accountId: textAt(record, 'directory_id'), providerId: textAt(record, 'provider_id') },
        issuer,
      );
    },
  },
  second_factors: {
    field: 'sealed_secret',
    purpose: 'second-factor',
    recordId: (record) => JSON.stringify([textAt(record, 'directory_id') || null, textAt(record, 'user_id')]),
  },
};
