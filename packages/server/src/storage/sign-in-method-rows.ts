/** Turns rows of passkeys, identity providers and listed users into records. */
import type { IdentityProvider, IdentityProviderSettings, ListedUser } from './federation-store.ts';
import type { Passkey } from './passkey-store.ts';
import { decodeOptional, type Row } from './rows.ts';

export const passkeyColumns = 'credential_id, user_id, counter, created_at, last_used_at, transports, public_key';

export const toPasskey = (accountId: string | null, row: Row): Passkey => ({
  accountId,
  credentialId: row.credential_id as string,
  userId: row.user_id as string,
  publicKey: row.public_key as Uint8Array,
  counter: row.counter as number,
  transports: JSON.parse(row.transports as string) as string[],
  createdAt: row.created_at as number,
  lastUsedAt: row.last_used_at as number | null,
});

export const toIdentityProvider = (accountId: string, row: Row): IdentityProvider => ({
  accountId,
  providerId: row.provider_id as string,
  settings: JSON.parse(row.settings as string) as IdentityProviderSettings,
  sealedSecret: row.sealed_secret as Uint8Array | null,
  createdAt: row.created_at as number,
  updatedAt: row.updated_at as number,
});

/** Returns a listed user, from a row for each link to a provider, or one without `provider_id`. */
export function toListedUser(rows: readonly Row[]): ListedUser {
  const [user = {}] = rows;
  const providers = rows.map(({ provider_id: providerId }) => providerId as string | null).filter((id) => id !== null);
  return {
    userId: user.user_id as string,
    email: decodeOptional(user.email),
    name: decodeOptional(user.name),
    providers: [...new Set([...providers, ...(user.has_password === 1 ? ['password'] : [])])].sort(),
    createdAt: user.created_at as number,
  };
}
