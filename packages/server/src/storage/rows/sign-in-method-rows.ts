/** Turns rows of passkeys, identity providers and listed users into records. */

import type { IdentityProviderSettings } from '@holdfast/contract';
import type { IdentityProvider, ListedUser } from '../contract/federation.ts';
import type { Passkey } from '../contract/own-methods.ts';
import {
  bytesAt,
  integerAt,
  jsonAt,
  optionalBytesAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  type Row,
  textAt,
} from './columns.ts';

export const passkeyColumns = 'credential_id, user_id, counter, created_at, last_used_at, transports, public_key';

export const toPasskey = (accountId: string | null, row: Row): Passkey => ({
  accountId,
  credentialId: textAt(row, 'credential_id'),
  userId: textAt(row, 'user_id'),
  publicKey: bytesAt(row, 'public_key'),
  counter: integerAt(row, 'counter'),
  transports: jsonAt<string[]>(row, 'transports'),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
});

export const toIdentityProvider = (accountId: string, row: Row): IdentityProvider => ({
  accountId,
  providerId: textAt(row, 'provider_id'),
  settings: jsonAt<IdentityProviderSettings>(row, 'settings'),
  sealedSecret: optionalBytesAt(row, 'sealed_secret'),
  createdAt: integerAt(row, 'created_at'),
  updatedAt: integerAt(row, 'updated_at'),
});

/** Returns a listed user, from one row for each link to a provider, or one row without `provider_id`. */
export function toListedUser(rows: readonly Row[]): ListedUser {
  const [user = {}] = rows;
  const providers = rows.map((row) => optionalTextAt(row, 'provider_id')).filter((id) => id !== null);
  return {
    userId: textAt(user, 'user_id'),
    email: optionalDecodedTextAt(user, 'email'),
    name: optionalDecodedTextAt(user, 'name'),
    providers: [...new Set([...providers, ...(user.has_password === 1 ? ['password'] : [])])].sort(),
    createdAt: integerAt(user, 'created_at'),
  };
}
