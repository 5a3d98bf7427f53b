import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { account, hashOf } from '../../store-suite/harness.ts';
import { createUser, resetOf, signUpOf } from '../../store-suite/identity/identity-records.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const tables = ['users', 'pending_sign_ups', 'password_resets'];

test('a deleted account takes only its own directory with it, row by row', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await store.createAccount(account());
  await store.createAccount(account('acc_2'));
  for (const accountId of ['acc_1', 'acc_2', null]) {
    const users = await Promise.all(
      Array.from({ length: 70 }, (_, i) => createUser(store, accountId, `${String(i).padStart(2, '0')}@example.com`)),
    );
    const [user] = users;
    if (user === undefined) throw new Error('there is no user');
    await store.addPasswordReset(hashOf(`reset ${accountId}`), resetOf(user));
    await store.addSignUp(hashOf(`pending ${accountId}`), signUpOf(accountId, 'new@example.com'));
  }
  await store.deleteAccount('acc_1');
  await vi.waitFor(() => expect(rows(dataDir)).toEqual([140, 2, 2]), { timeout: 60_000 });
  expect(await store.findUserByEmail('acc_2', '00@example.com')).toBeDefined();
  expect(await store.findUserByEmail(null, '00@example.com')).toBeDefined();
});

function rows(dataDir: string): unknown[] {
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  const counts = tables.map((table) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows);
  database.close();
  return counts;
}
