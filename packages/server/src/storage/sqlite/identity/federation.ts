/** Identity providers of accounts, users who came through them, and the list of users. */
import type { DatabaseSync } from 'node:sqlite';
import type { FederationStore, IdentityProvider, ListedUser } from '../../federation-store.ts';
import { beforeFirst, decodeOptional, encodeOptional, encodeText, pageOf } from '../../rows.ts';
import { toIdentityProvider, toListedUser } from '../../sign-in-method-rows.ts';
import type { Page, PageRequest } from '../../store.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { userRemoval } from './directories.ts';

/** Returns the methods of the store that federation and the list of users need. */
export function createFederation({ queue, reader }: Pick<Parts, 'queue' | 'reader'>): FederationStore {
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
  // One row more than the page holds shows whether anything follows.
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

type FederationWrites = Pick<
  Commands,
  'writeIdentityProvider' | 'deleteIdentityProvider' | 'signInFederatedUser' | 'deleteUser'
>;

/** The writes of federation, and the deletion of users, on the writer thread. */
export function federationWrites(database: DatabaseSync): FederationWrites {
  // No row: no such account.
  const findAccount = statement(database, 'SELECT account_number FROM accounts WHERE account_id = ?');
  const directoryOf = (accountId: string) => findAccount.get(accountId)?.account_number as number | undefined;
  return {
    ...providers(database, directoryOf),
    ...federatedUsers(database, directoryOf),
    ...userDeletion(database, directoryOf),
  };
}

type DirectoryOf = (accountId: string) => number | undefined;

function providers(
  database: DatabaseSync,
  directoryOf: DirectoryOf,
): Pick<FederationWrites, 'writeIdentityProvider' | 'deleteIdentityProvider'> {
  // One row, always: how many others there are.
  const countOthers = statement(
    database,
    'SELECT count(*) AS count FROM identity_providers WHERE directory_number = ? AND provider_id <> ?',
  );
  // One row, always. `?6` says whether the stored secret stays.
  const put = statement(
    database,
    `INSERT INTO identity_providers (directory_number, provider_id, created_at, updated_at, settings, sealed_secret)
     VALUES (?1, ?2, ?3, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, settings = excluded.settings,
       sealed_secret = CASE WHEN ?6 THEN sealed_secret ELSE excluded.sealed_secret END
     RETURNING provider_id, created_at, updated_at, settings, sealed_secret`,
  );
  // No change: no such provider.
  const remove = statement(database, 'DELETE FROM identity_providers WHERE directory_number = ? AND provider_id = ?');
  return {
    writeIdentityProvider({ accountId, providerId, settings, sealedSecret, writtenAt }, providersMax) {
      const directory = directoryOf(accountId);
      if (directory === undefined) return 'no_account';
      if ((countOthers.get(directory, providerId)?.count as number) >= providersMax) return 'too_many';
      const [secret, isKept] = sealedSecret === 'keep' ? [null, 1] : [sealedSecret, 0];
      const row = put.get(directory, providerId, writtenAt, JSON.stringify(settings), secret, isKept);
      return toIdentityProvider(accountId, row ?? {});
    },
    deleteIdentityProvider(accountId, providerId) {
      const directory = directoryOf(accountId);
      if (directory === undefined) return 'absent';
      return remove.changes(directory, providerId) === 0 ? 'absent' : 'deleted';
    },
  };
}

function federatedUsers(database: DatabaseSync, directoryOf: DirectoryOf): Pick<FederationWrites, 'signInFederatedUser'> {
  // No row: this identity has not signed in before.
  const find = statement(
    database,
    `SELECT user_id FROM federated_identities
     WHERE directory_number = ? AND provider_id = ? AND issuer = ? AND subject = ?`,
  );
  // One row, always: a link goes with its user. What the provider leaves out this time stays as it was.
  const update = statement(
    database,
    `UPDATE users SET email = coalesce(?3, email), name = coalesce(?4, name) WHERE directory_number = ?1 AND user_id = ?2
     RETURNING email, name`,
  );
  // One row each. A user id that is taken is a fault of the caller and fails.
  const insertUser = statement(
    database,
    'INSERT INTO users (directory_number, user_id, created_at, email, name) VALUES (?, ?, ?, ?, ?)',
  );
  const link = statement(
    database,
    `INSERT INTO federated_identities (directory_number, provider_id, issuer, subject, user_id) VALUES (?, ?, ?, ?, ?)`,
  );
  return {
    signInFederatedUser({ accountId, providerId, issuer, subject }, { email, name }, { userId, createdAt }) {
      const directory = directoryOf(accountId);
      if (directory === undefined) return 'no_account';
      const identity = [directory, providerId, encodeText(issuer), encodeText(subject)] as const;
      const profile = [encodeOptional(email), encodeOptional(name)] as const;
      const known = find.get(...identity)?.user_id as string | undefined;
      if (known !== undefined) {
        const row = update.get(directory, known, ...profile);
        return { userId: known, email: decodeOptional(row?.email), name: decodeOptional(row?.name) };
      }
      insertUser.changes(directory, userId, createdAt, ...profile);
      link.changes(...identity, userId);
      return { userId, email, name };
    },
  };
}

function userDeletion(database: DatabaseSync, directoryOf: DirectoryOf): Pick<FederationWrites, 'deleteUser'> {
  const remove = userRemoval(database);
  return {
    deleteUser(accountId, userId) {
      const directory = directoryOf(accountId);
      return directory !== undefined && remove(directory, userId) ? 'deleted' : 'absent';
    },
  };
}
