import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { account } from '../../store-suite/harness.ts';
import { federatedUser, identity, passwordUser } from '../../store-suite/identity/directory-users.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const settings = { clientId: 'c', name: null, issuer: null, tenant: null, teamId: null, keyId: null };

test('a deleted account takes only its own passkeys, providers and links with it', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  for (const accountId of ['acc_1', 'acc_2']) {
    await store.createAccount(account(accountId));
    await passwordUser(store, accountId, 'usr_p');
    const provider = { accountId, settings, sealedSecret: Uint8Array.of(1), writtenAt: 1 };
    const passkey = { accountId, userId: 'usr_p', publicKey: Uint8Array.of(1), counter: 0, transports: [], createdAt: 1 };
    await Promise.all(
      Array.from({ length: 70 }, async (_, i) => {
        await store.addPasskey({ ...passkey, credentialId: `c${i}`, lastUsedAt: null }, 100);
        await store.writeIdentityProvider(byOperator, { ...provider, providerId: `oidc.p${i}` }, 100);
        await federatedUser(store, identity(`s${i}`, { accountId }), `usr_${i}`);
      }),
    );
  }
  await store.deleteAccount('acc_1');
  await vi.waitFor(() => expect(rows(dataDir)).toEqual([70, 70, 70, 71]), { timeout: 60_000 });
  expect(await store.listPasskeys('acc_2', 'usr_p')).toHaveLength(70);
});

function rows(dataDir: string): unknown[] {
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  const counts = ['passkeys', 'identity_providers', 'federated_identities', 'users'].map(
    (table) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows,
  );
  database.close();
  return counts;
}
