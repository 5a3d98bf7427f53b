/** A store of the embedded engine in its own directory, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey, hashApiKey, startOfApiKey } from '../common/secrets/api-key-text.ts';
import type { Account } from '../storage/contract/accounts.ts';
import type { ApiKey } from '../storage/contract/api-keys.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { placeEmptyDatabase } from '../storage/sqlite/empty-database.fixture.ts';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import type { Store } from '../storage/store.ts';
import { aProject, byOperator } from '../storage/store-suite/records.fixture.ts';

export interface StoreFixture {
  readonly store: Store;
  readonly dataDir: string;
  /** Closes the store and deletes its directory. */
  dispose(): Promise<void>;
}

/** Opens an empty store. */
export async function openStoreFixture(): Promise<StoreFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-store-'));
  await placeEmptyDatabase(dataDir);
  const store = await openSqliteStore({ dataDir });
  const dispose = async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  };
  return { store, dataDir, dispose };
}

/** Stores an account. */
export async function addAccount(store: Store, accountId: string): Promise<Account> {
  const account = { accountId, name: accountId, idpTenantId: `t-${accountId.slice(4).toLowerCase()}`, createdAt: 1_000 };
  await store.createAccount(account);
  return { ...account, requireSecondFactor: false, suspendedAt: null, signedOutAt: null };
}

/** Stores a project. */
export async function addProject(store: Store, accountId: string, slug: string): Promise<ProjectKey> {
  await store.createProject(byOperator, aProject({ accountId, slug, name: slug, createdAt: 2_000 }));
  return { accountId, slug };
}

/** Stores an API key with all rights, unless `change` says otherwise, and returns it with its text. */
export async function addApiKey(store: Store, project: ProjectKey, change: Partial<ApiKey> = {}) {
  const text = generateApiKey();
  const key: ApiKey = {
    ...project,
    keyId: `key_${text.slice(5, 15)}`,
    name: 'a key',
    start: startOfApiKey(text),
    kind: 'secret',
    access: 'write',
    environments: ['development', 'staging', 'production'],
    createdAt: 3_000,
    lastUsedAt: null,
    expiresAt: null,
    requestsPerMinute: null,
    ...change,
  };
  await store.createApiKey(byOperator, key, hashApiKey(text), 1_000);
  return { text, key };
}
