/** The store's part that federation and the list of users need, on the main thread. */
import type { FederationStore, IdentityProvider, ListedUser } from '../../federation-store.ts';
import { beforeFirst, pageOf } from '../../rows.ts';
import { toIdentityProvider, toListedUser } from '../../sign-in-method-rows.ts';
import type { Page, PageRequest } from '../../store.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';

interface Parts {
  readonly queue: WriteQueue;
  readonly reader: Reader;
}

/** Returns the methods of the store that federation and the list of users need. */
export function createFederationStore({ queue, reader }: Parts): FederationStore {
  return {
    listIdentityProviders: (accountId) => listIdentityProviders(reader, accountId),
    findIdentityProvider({ accountId, providerId }) {
      // No row: no such account or provider.
      const row = reader.get(`${selectProviders} AND provider_id = ?`, accountId, providerId);
      return row && toIdentityProvider(accountId, row);
    },
    writeIdentityProvider: (provider, providersMax) =>
      queue.submit(smallCommandCharacters, 'writeIdentityProvider', provider, providersMax),
    deleteIdentityProvider: ({ accountId, providerId }) =>
      queue.submit(smallCommandCharacters, 'deleteIdentityProvider', accountId, providerId),
    signInFederatedUser: (identity, profile, created) =>
      queue.submit(smallCommandCharacters, 'signInFederatedUser', identity, profile, created),
    listUsers: (accountId, page) => listUsers(reader, accountId, page),
    deleteUser: (accountId, userId) => queue.submit(smallCommandCharacters, 'deleteUser', accountId, userId),
  };
}

const selectProviders = `
  SELECT provider_id, identity_providers.created_at, updated_at, settings, sealed_secret
  FROM accounts JOIN identity_providers ON directory_number = account_number WHERE account_id = ?`;

function listIdentityProviders(reader: Reader, accountId: string): IdentityProvider[] {
  // Any number of rows.
  const rows = reader.all(`${selectProviders} ORDER BY provider_id`, accountId);
  return rows.map((row) => toIdentityProvider(accountId, row));
}

function listUsers(reader: Reader, accountId: string, { after, itemsMax }: PageRequest): Page<ListedUser> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds tells whether anything follows.
  const rows = reader.all(
    `SELECT user_id, email, name, created_at, password_hash IS NOT NULL AS has_password,
       (SELECT json_group_array(DISTINCT provider_id) FROM federated_identities
        WHERE federated_identities.directory_number = users.directory_number
          AND federated_identities.user_id = users.user_id) AS providers
     FROM users
     WHERE directory_number = (SELECT account_number FROM accounts WHERE account_id = ?1)
       AND (created_at, user_id) < (?2, ?3)
     ORDER BY created_at DESC, user_id DESC LIMIT ?4`,
    accountId,
    createdAt,
    tie,
    itemsMax + 1,
  );
  return pageOf(rows.map(toListedUser), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.userId }));
}
