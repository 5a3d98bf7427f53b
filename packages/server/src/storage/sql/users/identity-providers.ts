/** The identity providers of accounts. */

import type { IdentityProviderSettings } from '@holdfast/contract';
import type { AuditDetail } from '../../contract/audit.ts';
import type { IdentityProvider, IdentityProviderKey, NewIdentityProvider } from '../../contract/federation.ts';
import { ofAccount, ofItsAccount } from '../../contract/read-owner.ts';
import { jsonAt, type Row } from '../../rows/columns.ts';
import { toIdentityProvider } from '../../rows/sign-in-method-rows.ts';
import { differing, removed } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { largeRead, type Setting, smallRead } from '../verb.ts';
import { isAccount } from './directories.ts';

const columns = 'provider_id, created_at, updated_at, settings, sealed_secret';

function* list(_: Setting, accountId: string): Steps<readonly IdentityProvider[]> {
  // Any number of rows.
  const rows = yield* all(`SELECT ${columns} FROM identity_providers WHERE directory_id = $1 AND ${isAccount}`, [
    accountId,
  ]);
  // Not sorted by the database: its order may depend on its locale.
  return rows.map((row) => toIdentityProvider(accountId, row)).sort((a, b) => (a.providerId < b.providerId ? -1 : 1));
}

function* find(_: Setting, { accountId, providerId }: IdentityProviderKey): Steps<IdentityProvider | undefined> {
  // No row: no such account or provider.
  const row = yield* first(
    `SELECT ${columns} FROM identity_providers WHERE directory_id = $1 AND provider_id = $2 AND ${isAccount}`,
    [accountId, providerId],
  );
  return row && toIdentityProvider(accountId, row);
}

/** Providers of one account are written one at a time: each write locks the row of the account until it is committed. */
function* put(
  setting: Setting,
  { accountId, providerId, settings, sealedSecret, writtenAt }: NewIdentityProvider,
  providersMax: number,
): Steps<WithAuditEntry<IdentityProvider | 'no_account' | 'too_many'>> {
  // No row: no such account.
  const account = yield* first('SELECT account_id FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  if (account === undefined) return unchanged('no_account');
  // How many others there are.
  const others = yield* one(
    'SELECT count(*) AS providers FROM identity_providers WHERE directory_id = $1 AND provider_id <> $2',
    [accountId, providerId],
  );
  if ((others.providers as number) >= providersMax) return unchanged('too_many');
  const before = yield* find(setting, { accountId, providerId });
  const [secret, isKept] = sealedSecret === 'keep' ? [null, 1] : [sealedSecret, 0];
  const row = yield* one(
    `INSERT INTO identity_providers (directory_id, provider_id, created_at, updated_at, settings, sealed_secret)
     VALUES ($1, $2, $3, $3, $4, $5)
     ON CONFLICT (directory_id, provider_id) DO UPDATE SET updated_at = excluded.updated_at, settings = excluded.settings,
       sealed_secret = CASE WHEN CAST($6 AS bigint) = 1 THEN identity_providers.sealed_secret ELSE excluded.sealed_secret END
     RETURNING ${columns}`,
    [accountId, providerId, writtenAt, JSON.stringify(settings), secret, isKept],
  );
  const detail: AuditDetail = {
    ...differing(before === undefined ? {} : { ...before.settings }, { ...settings }),
    ...(sealedSecret !== 'keep' && { secret: { to: sealedSecret === null ? 'none' : 'another one' } }),
  };
  const entry = { action: 'identity_provider.update', target: targetOf(providerId), detail } as const;
  return withAuditEntry(toIdentityProvider(accountId, row as Row), entry);
}

const targetOf = (providerId: string): string => `identity-providers/${providerId}`;

function* remove(_: Setting, { accountId, providerId }: IdentityProviderKey): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  // No row: no such account or provider.
  const deleted = yield* first(
    `DELETE FROM identity_providers WHERE directory_id = $1 AND provider_id = $2 AND ${isAccount} RETURNING settings`,
    [accountId, providerId],
  );
  if (deleted === undefined) return unchanged('absent');
  const detail = removed(jsonAt<IdentityProviderSettings>(deleted, 'settings'));
  return withAuditEntry('deleted', { action: 'identity_provider.delete', target: targetOf(providerId), detail });
}

export const identityProviderVerbs = {
  /** Lists the identity providers by id. */
  listIdentityProviders: largeRead(list, ofAccount),
  findIdentityProvider: smallRead(find),
  /** Creates or replaces the record, and returns it. `too_many` if it is new and the account already has `providersMax`. */
  writeIdentityProvider: audited(put, ofItsAccount),
  /** Deletes an identity provider. Its users stay, and are found again if the provider is configured again. */
  deleteIdentityProvider: audited(remove, ofItsAccount),
};
