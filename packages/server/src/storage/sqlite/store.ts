/**
 * The embedded engine: SQLite in write-ahead mode. Reads are answered at once, from memory or from this thread's own
 * connection; writes go to a writer thread that commits in groups and answers when they are durable.
 */

import { type AccessListener, AccessListeners, accountChange, everything, projectChange } from '../access-changes.ts';
import type { FederationStore } from '../federation-store.ts';
import type { IdentityStore } from '../identity-store.ts';
import type { PasskeyStore, TicketStore } from '../passkey-store.ts';
import type { RateWindowStore } from '../rate-window-store.ts';
import { environmentNumbers } from '../rows.ts';
import type { SignInStore } from '../sign-in-store.ts';
import type {
  Account,
  ApiKey,
  Expectation,
  NewPublicState,
  Page,
  PageRequest,
  Project,
  ProjectKey,
  PublicState,
  PublicStateKey,
  ReadOutcome,
  SigningKeyRecord,
  SigningPurpose,
  Store,
  WriteOutcome,
} from '../store.ts';
import { type BackgroundObserver, type StoreObserver, unobserved } from '../store-observer.ts';
import { type QuotaLimits, type UsageStore, unlimited } from '../usage-store.ts';
import type { UserStateStore } from '../user-state-store.ts';
import { databasePath } from './directory/database.ts';
import type { DirectoryLock } from './directory/lock.ts';
import { prepareDirectory } from './directory/startup.ts';
import { createFederationStore } from './identity/federation.ts';
import { createIdentities } from './identity/identity-store.ts';
import { createPasskeys } from './identity/passkeys.ts';
import { Reader } from './reader.ts';
import * as reads from './reads.ts';
import { accountName, projectName, RecordCache, stateName } from './record-cache.ts';
import { createSignIns } from './sign-in/sign-ins.ts';
import { createUserStates } from './state/user-states.ts';
import { createRateWindows } from './usage/rate-windows.ts';
import { createUsage } from './usage/usage.ts';
import { type ChangeAccess, createChangeAccess, smallCommandCharacters, writeRecord } from './writer/changes.ts';
import { WriteQueue } from './writer/write-queue.ts';

export interface SqliteStoreOptions {
  /** Created with mode 0700 when missing. */
  readonly dataDir: string;
  /**
   * True, the default, for the server: no second one can open the directory. False for an operator's command, which works
   * beside a server or alone.
   */
  readonly exclusive?: boolean;
  /** Characters of state that are kept in memory, about; 1 or 2 bytes each. */
  readonly cacheCharactersMax?: number;
  /** What accounts may use that have no limits of their own; without it everything is unlimited. */
  readonly quotas?: QuotaLimits;
  /** Is told of commits, failures and the queue. */
  readonly observer?: StoreObserver | undefined;
  /** Is told of failures that no request is told of. */
  readonly background?: BackgroundObserver | undefined;
}

const defaultCacheCharactersMax = 32 * 1024 * 1024;

/**
 * Opens the store in a data directory, creating and migrating its database as needed. Throws an `Error` that names the
 * directory when another server uses it, and one that names the migration when the database does not fit this program.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { dataDir, exclusive = true, cacheCharactersMax = defaultCacheCharactersMax, quotas = unlimited } = options;
  const lock = prepareDirectory(dataDir, exclusive);
  const path = databasePath(dataDir);
  const cache = new RecordCache(cacheCharactersMax);
  const access = new AccessListeners();
  const onChange = () => {
    cache.clear();
    access.tell(everything);
  };
  try {
    const observers = { onChange, observer: options.observer, background: options.background ?? unobserved };
    const queue = await WriteQueue.start({ path, sweeps: exclusive }, observers);
    const changeAccess = createChangeAccess(cache, queue, access);
    const parts = { cache, access, changeAccess, queue, reader: new Reader(path), lock, quotas };
    return Object.assign(
      new SqliteStore(parts),
      createUserStates(parts),
      createUsage(parts),
      createSignIns(parts),
      createIdentities(parts),
      createPasskeys(parts),
      createFederationStore(parts),
      createRateWindows(parts),
    );
  } catch (error) {
    lock?.release();
    throw error;
  }
}

interface Parts {
  readonly cache: RecordCache;
  readonly access: AccessListeners;
  readonly changeAccess: ChangeAccess;
  readonly queue: WriteQueue;
  readonly reader: Reader;
  readonly lock: DirectoryLock | undefined;
  readonly quotas: QuotaLimits;
}

type Added = UserStateStore &
  UsageStore &
  SignInStore &
  IdentityStore &
  PasskeyStore &
  TicketStore &
  FederationStore &
  RateWindowStore;

/** All of the store but what the `create…` functions add to it. */
class SqliteStore implements Omit<Store, keyof Added> {
  readonly #cache: RecordCache;
  readonly #access: AccessListeners;
  readonly #changeAccess: ChangeAccess;
  readonly #queue: WriteQueue;
  readonly #reader: Reader;
  readonly #quotas: QuotaLimits;
  #lock: DirectoryLock | undefined;

  constructor({ cache, access, changeAccess, queue, reader, lock, quotas }: Parts) {
    this.#cache = cache;
    this.#access = access;
    this.#changeAccess = changeAccess;
    this.#queue = queue;
    this.#reader = reader;
    this.#lock = lock;
    this.#quotas = quotas;
  }

  async checkReady(): Promise<void> {
    reads.isEmpty(this.#reader);
    await this.#queue.submit(smallCommandCharacters, 'checkReady');
  }

  async close(): Promise<void> {
    this.#reader.close();
    this.#cache.clear();
    // The writer closes last, and so moves the whole write-ahead log into the database.
    await this.#queue.close();
    this.#lock?.release();
    this.#lock = undefined;
  }

  onAccessChange(listener: AccessListener): void {
    this.#access.add(listener);
  }

  isEmpty(): boolean {
    return reads.isEmpty(this.#reader);
  }

  createAccount(account: Account) {
    return this.#changeAccess({}, 'createAccount', account);
  }

  findAccount(accountId: string): Account | undefined {
    const known = this.#cache.account(accountId);
    if (known !== undefined) return known;
    const account = reads.findAccount(this.#reader, accountId);
    if (account !== undefined) this.#cache.keepAccount(account);
    return account;
  }

  listAccounts(page: PageRequest): Page<Account> {
    return reads.listAccounts(this.#reader, page);
  }

  renameAccount(accountId: string, name: string) {
    return this.#changeAccess({ record: accountName(accountId) }, 'renameAccount', accountId, name);
  }

  deleteAccount(accountId: string) {
    const effect = { record: accountName(accountId), takes: accountChange(accountId) };
    return this.#changeAccess(effect, 'deleteAccount', accountId);
  }

  createProject(project: Project) {
    return this.#changeAccess({}, 'createProject', project, this.#quotas.projects);
  }

  findProject(key: ProjectKey): Project | undefined {
    const name = projectName(key);
    const known = this.#cache.project(name);
    if (known !== undefined) return known;
    const project = reads.findProject(this.#reader, key);
    if (project !== undefined) this.#cache.keepProject(name, project);
    return project;
  }

  listProjects(accountId: string, page: PageRequest): Page<Project> {
    return reads.listProjects(this.#reader, accountId, page);
  }

  renameProject(key: ProjectKey, name: string) {
    return this.#changeAccess({ record: projectName(key) }, 'renameProject', key.accountId, key.slug, name);
  }

  deleteProject(key: ProjectKey) {
    const effect = { record: projectName(key), takes: projectChange(key) };
    return this.#changeAccess(effect, 'deleteProject', key.accountId, key.slug);
  }

  createApiKey(key: ApiKey, keyHash: Uint8Array, keysMax: number) {
    return this.#changeAccess({}, 'createApiKey', key, keyHash, keysMax);
  }

  findApiKey(keyHash: Uint8Array): ApiKey | undefined {
    return reads.findApiKey(this.#reader, keyHash);
  }

  listApiKeys(key: ProjectKey, itemsMax: number): ApiKey[] {
    return reads.listApiKeys(this.#reader, key, itemsMax);
  }

  deleteApiKey(key: ProjectKey, keyId: string) {
    const { accountId, slug } = key;
    return this.#changeAccess(
      { takes: { kind: 'api_key', accountId, slug, keyId } },
      'deleteApiKey',
      accountId,
      slug,
      keyId,
    );
  }

  async recordApiKeyUse(uses: readonly { readonly keyId: string; readonly usedAt: number }[]): Promise<void> {
    if (uses.length > 0) await this.#queue.submit(uses.length * 100, 'recordApiKeyUse', uses);
  }

  listSigningKeys(purpose: SigningPurpose): SigningKeyRecord[] {
    return reads.listSigningKeys(this.#reader, purpose);
  }

  addSigningKey(key: SigningKeyRecord, expectedNewest: string | null) {
    const { purpose } = key;
    return this.#changeAccess({ takes: { kind: 'signing_keys', purpose } }, 'addSigningKey', key, expectedNewest);
  }

  deleteSigningKeys(purpose: SigningPurpose, createdBefore: number) {
    return this.#changeAccess({ takes: { kind: 'signing_keys', purpose } }, 'deleteSigningKeys', purpose, createdBefore);
  }

  readPublicState(key: PublicStateKey): ReadOutcome<PublicState> {
    const name = stateName(key);
    const known = this.#cache.state(name);
    if (known !== undefined) return known;
    const outcome = reads.readPublicState(this.#reader, key);
    if (outcome.kind !== 'no_project') this.#cache.keepState(name, key, outcome);
    return outcome;
  }

  readPublicStateVersion(key: PublicStateKey, version: number): ReadOutcome<PublicState> {
    return reads.readPublicStateVersion(this.#reader, key, version);
  }

  listPublicStateVersions(key: PublicStateKey, run: { readonly before: number | null; readonly charactersMax: number }) {
    return reads.listPublicStateVersions(this.#reader, key, run);
  }

  writePublicState(key: PublicStateKey, expected: Expectation, next: NewPublicState): Promise<WriteOutcome> {
    const { stateText, stateBytes, stateUtf8, comment } = next;
    return writeRecord(
      this.#cache,
      stateName(key),
      key,
      () =>
        this.#queue.submit(
          stateText.length + smallCommandCharacters,
          'writePublicState',
          key.accountId,
          key.slug,
          environmentNumbers[key.environment],
          expected.kind === 'version' ? expected.version : null,
          stateUtf8 ?? stateText,
          stateBytes,
          comment,
          next.writtenAt,
          this.#quotas.storageBytes,
        ),
      (version) => ({ version, stateText, stateBytes, comment }),
    );
  }
}
