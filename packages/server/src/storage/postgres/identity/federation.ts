/** Identity providers of accounts, users who came through them, and the list of users. */
import type {
  FederatedIdentity,
  FederatedProfile,
  FederatedUser,
  FederationStore,
  IdentityProvider,
  ListedUser,
  NewIdentityProvider,
} from '../../federation-store.ts';
import { beforeFirst, decodeOptional, encodeOptional, encodeText, pageOf } from '../../rows.ts';
import { toIdentityProvider, toListedUser } from '../../sign-in-method-rows.ts';
import type { Page, PageRequest } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Query, type Row } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { removeUser } from './directories.ts';

/** Returns the methods of the store that federation and the list of users need. */
export function createFederationStore({ database }: Pick<Parts, 'database'>): FederationStore {
  return { ...providers(database), ...users(database) };
}

const providerColumns = 'provider_id, created_at, updated_at, settings, sealed_secret';

/** Whether the account in `$1` exists. */
const isAccount = 'EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1)';

function providers(
  database: Database,
): Pick<
  FederationStore,
  'listIdentityProviders' | 'findIdentityProvider' | 'writeIdentityProvider' | 'deleteIdentityProvider'
> {
  return {
    async listIdentityProviders(accountId) {
      // Any number of rows.
      const rows = await database.query(
        `SELECT ${providerColumns} FROM identity_providers WHERE directory_id = $1 AND ${isAccount}`,
        [accountId],
      );
      // Not sorted by the database: its order depends on its locale.
      return rows.map((row) => toIdentityProvider(accountId, row)).sort((a, b) => (a.providerId < b.providerId ? -1 : 1));
    },
    async findIdentityProvider({ accountId, providerId }) {
      // No row: no such account or provider.
      const [row] = await database.query(
        `SELECT ${providerColumns} FROM identity_providers WHERE directory_id = $1 AND provider_id = $2 AND ${isAccount}`,
        [accountId, providerId],
      );
      return row && toIdentityProvider(accountId, row);
    },
    writeIdentityProvider: (provider, providersMax) =>
      database.transaction('read committed', (query) => writeProvider(query, provider, providersMax)),
    async deleteIdentityProvider({ accountId, providerId }) {
      // No row: no such account or provider.
      const deleted = await database.query(
        `DELETE FROM identity_providers WHERE directory_id = $1 AND provider_id = $2 AND ${isAccount} RETURNING provider_id`,
        [accountId, providerId],
      );
      return deleted.length === 0 ? 'absent' : 'deleted';
    },
  };
}

/**
 * Providers of one account are written one after the other: each write holds the row of the account until it is committed.
 */
async function writeProvider(
  query: Query,
  { accountId, providerId, settings, sealedSecret, writtenAt }: NewIdentityProvider,
  providersMax: number,
): Promise<IdentityProvider | 'no_account' | 'too_many'> {
  // No row: no such account.
  const account = await query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  if (account.length === 0) return 'no_account';
  // One row, always: how many others there are.
  const [others] = await query(
    'SELECT count(*) AS providers FROM identity_providers WHERE directory_id = $1 AND provider_id <> $2',
    [accountId, providerId],
  );
  if ((others?.providers as number) >= providersMax) return 'too_many';
  const [secret, isKept] = sealedSecret === 'keep' ? [null, true] : [sealedSecret, false];
  // One row, always.
  const [row] = await query(
    `INSERT INTO identity_providers (directory_id, provider_id, created_at, updated_at, settings, sealed_secret)
     VALUES ($1, $2, $3, $3, $4, $5)
     ON CONFLICT (directory_id, provider_id) DO UPDATE SET updated_at = excluded.updated_at, settings = excluded.settings,
       sealed_secret = CASE WHEN $6::boolean THEN identity_providers.sealed_secret ELSE excluded.sealed_secret END
     RETURNING ${providerColumns}`,
    [accountId, providerId, writtenAt, JSON.stringify(settings), secret, isKept],
  );
  return toIdentityProvider(accountId, row as Row);
}

function users(database: Database): Pick<FederationStore, 'signInFederatedUser' | 'listUsers' | 'deleteUser'> {
  return {
    signInFederatedUser: (identity, profile, created) =>
      decided(
        async () =>
          (await signInKnown(database, identity, profile)) ??
          (await signInFirst(database, identity, profile, created)) ??
          (await findNoAccount(database, identity)),
      ),
    listUsers: (accountId, page) => listUsers(database, accountId, page),
    deleteUser: (accountId, userId) =>
      database.transaction('read committed', async (query) => {
        // No row: no such account.
        const account = await query('SELECT 1 FROM accounts WHERE account_id = $1', [accountId]);
        return account.length > 0 && (await removeUser(query, accountId, userId)) ? 'deleted' : 'absent';
      }),
  };
}

const identityValues = ({ accountId, providerId, issuer, subject }: FederatedIdentity, profile: FederatedProfile) => [
  ...[accountId, providerId, encodeText(issuer), encodeText(subject)],
  ...[encodeOptional(profile.email), encodeOptional(profile.name)],
];

async function signInKnown(
  database: Database,
  identity: FederatedIdentity,
  profile: FederatedProfile,
): Promise<FederatedUser | undefined> {
  // No row: this identity has not signed in before, or the account does not exist. What the provider leaves out this time
  // stays as it was.
  const [row] = await database.query(
    `UPDATE users SET email = coalesce($5, email), name = coalesce($6, name)
     FROM federated_identities AS known
     WHERE known.directory_id = $1 AND known.provider_id = $2 AND known.issuer = $3 AND known.subject = $4
       AND users.directory_id = $1 AND users.user_id = known.user_id AND ${isAccount}
     RETURNING users.user_id, users.email, users.name`,
    identityValues(identity, profile),
  );
  return row && { userId: row.user_id as string, email: decodeOptional(row.email), name: decodeOptional(row.name) };
}

async function signInFirst(
  database: Database,
  identity: FederatedIdentity,
  profile: FederatedProfile,
  { userId, createdAt }: { readonly userId: string; readonly createdAt: number },
): Promise<FederatedUser | undefined> {
  // No row: this identity has signed in meanwhile, or the account does not exist. A user id that is taken is a fault of the
  // caller and fails.
  const made = await database.query(
    `WITH linked AS (
       INSERT INTO federated_identities (directory_id, provider_id, issuer, subject, user_id)
       SELECT $1, $2, $3, $4, $7 WHERE ${isAccount}
       ON CONFLICT (directory_id, provider_id, issuer, subject) DO NOTHING RETURNING directory_id, user_id)
     INSERT INTO users (directory_id, user_id, created_at, email, name)
     SELECT directory_id, user_id, $8::bigint, $5, $6 FROM linked
     RETURNING user_id`,
    [...identityValues(identity, profile), userId, createdAt],
  );
  return made.length === 0 ? undefined : { userId, ...profile };
}

async function findNoAccount(database: Database, { accountId }: FederatedIdentity): Promise<'no_account' | undefined> {
  // No row: no such account.
  const account = await database.query('SELECT 1 FROM accounts WHERE account_id = $1', [accountId]);
  return account.length === 0 ? 'no_account' : undefined;
}

async function listUsers(
  database: Database,
  accountId: string,
  { after, itemsMax }: PageRequest,
): Promise<Page<ListedUser>> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds shows whether anything follows.
  const rows = await database.query(
    `SELECT user_id, email, name, created_at, CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password,
       coalesce((SELECT json_agg(DISTINCT provider_id)::text FROM federated_identities
         WHERE federated_identities.directory_id = users.directory_id
           AND federated_identities.user_id = users.user_id), '[]') AS providers
     FROM users WHERE directory_id = $1 AND (created_at, user_id) < ($2, $3) AND ${isAccount}
     ORDER BY created_at DESC, user_id DESC LIMIT $4`,
    [accountId, createdAt, tie, itemsMax + 1],
  );
  return pageOf(rows.map(toListedUser), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.userId }));
}
