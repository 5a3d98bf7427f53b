/**
 * What Holdfast asks of a storage engine. Every method is one atomic step of the domain. Expected outcomes are values. What is
 * thrown is a `StoreError`: `StoreUnavailable` when the store cannot serve now, `StoreFault` when the program or the call is
 * wrong. No engine may answer a write before it is durable.
 *
 * Storage speaks of versions and records, never of statuses, entity tags or requests. Times are milliseconds since the
 * epoch and come from the caller. `store.contract.ts` is the suite that every engine passes.
 */
import type { ApiKeyAccess, Environment } from '@holdfast/contract';
import type { AccessListener } from './access-changes.ts';
import type { FederationStore } from './federation-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { PasskeyStore } from './passkey-store.ts';
import type { RateWindowStore } from './rate-window-store.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { TicketStore } from './ticket-store.ts';
import type { QuotaReached, UsageStore } from './usage-store.ts';
import type { UserStateStore } from './user-state-store.ts';

/** A value now, or later: an embedded engine answers reads at once, a remote one cannot. */
export type Awaitable<T> = T | Promise<T>;

/** Whatever a store throws. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/**
 * The store cannot serve now: unreachable, full, failing or closed. The call can be repeated unchanged. Whether a write in
 * flight was stored is unknown.
 */
export class StoreUnavailable extends StoreError {
  override name = 'StoreUnavailable';
}

/**
 * The call breaks a rule of the store, such as a constraint, or the program has a defect: the same call would fail again.
 * Nothing of it was stored. `cause` is what went wrong, without any value of the call.
 */
export class StoreFault extends StoreError {
  override name = 'StoreFault';
}

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly idpTenantId: string;
  readonly createdAt: number;
}

export interface ProjectKey {
  readonly accountId: string;
  readonly slug: string;
}

export interface Project extends ProjectKey {
  readonly name: string;
  readonly createdAt: number;
}

/** An API key as stored: never the key itself, only its SHA-256. */
export interface ApiKey extends ProjectKey {
  readonly keyId: string;
  readonly name: string;
  /** The first characters of the key, to tell keys apart. */
  readonly start: string;
  readonly access: ApiKeyAccess;
  readonly environments: readonly Environment[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
}

export interface PublicStateKey extends ProjectKey {
  readonly environment: Environment;
}

/** One stored version of public state. An engine may hand out the same object again as long as it is the current one. */
export interface PublicState {
  readonly version: number;
  /** Compact JSON text of the document. */
  readonly stateText: string;
  /** UTF-8 bytes of `stateText`. */
  readonly stateBytes: number;
  readonly comment: string | null;
}

export interface NewPublicState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** Those bytes, where the caller has them; nobody writes to them. */
  readonly stateUtf8?: Uint8Array | undefined;
  readonly comment: string | null;
  readonly writtenAt: number;
}

/** What a write demands of the current record: a certain version, or that there is none. */
export type Expectation = { readonly kind: 'version'; readonly version: number } | { readonly kind: 'absent' };

export type ReadOutcome<Record> =
  | { readonly kind: 'present'; readonly record: Record }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_project' };

export type WriteOutcome =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | { readonly kind: 'no_project' }
  | QuotaReached;

/** A place in a list ordered newest first: creation time, and a tie-break that is unique beside it. */
export interface PagePosition {
  readonly createdAt: number;
  readonly tie: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins after; null when nothing follows. */
  readonly next: PagePosition | null;
}

export interface PageRequest {
  readonly after: PagePosition | null;
  readonly itemsMax: number;
}

/** What a signing key signs. Keys of one purpose know nothing of those of another. */
export type SigningPurpose = 'access_token' | 'id_token';

/** A key pair that signs tokens. The private half is encrypted by the caller before it comes here. */
export interface SigningKeyRecord {
  readonly purpose: SigningPurpose;
  readonly keyId: string;
  /** Public JWK as JSON text. */
  readonly publicJwk: string;
  /** Private JWK, encrypted; opaque to the store. */
  readonly sealedPrivateJwk: Uint8Array;
  readonly createdAt: number;
}

export interface Store
  extends UserStateStore,
    SignInStore,
    IdentityStore,
    PasskeyStore,
    TicketStore,
    FederationStore,
    UsageStore,
    RateWindowStore {
  /** Resolves when the store can serve reads and durable writes now; throws `StoreUnavailable` otherwise. */
  checkReady(): Promise<void>;
  /** Finishes what was begun, then releases everything. Later calls throw `StoreUnavailable`. */
  close(): Promise<void>;
  /**
   * Calls `listener` whenever something that authorises may have gone or changed, and says what: an account, project or API
   * key was deleted, an account's limits or a project's sign-in settings written, a signing key added or deleted. For changes
   * made through this store the call comes before the promise of the change resolves; for changes made by other processes
   * within one second. A store that cannot tell what another process has changed tells `everything`. Nothing is told of what
   * was created or renamed here.
   */
  onAccessChange(listener: AccessListener): void;

  /** Whether the store holds no account at all. */
  isEmpty(): Awaitable<boolean>;

  createAccount(account: Account): Promise<'created' | 'already_exists'>;
  findAccount(accountId: string): Awaitable<Account | undefined>;
  /** Newest first; `tie` is the account id. */
  listAccounts(page: PageRequest): Awaitable<Page<Account>>;
  /** Returns the renamed account, or undefined when there is none. */
  renameAccount(accountId: string, name: string): Promise<Account | undefined>;
  /**
   * Deletes the account with everything in it; nothing of it can be read once this resolves. Developers of the built-in
   * identity provider who have no account left go in the same step, with everything that lets them in.
   */
  deleteAccount(accountId: string): Promise<'deleted' | 'absent'>;

  createProject(project: Project): Promise<'created' | 'already_exists' | 'no_account' | QuotaReached>;
  findProject(key: ProjectKey): Awaitable<Project | undefined>;
  /** Newest first; `tie` is the slug. */
  listProjects(accountId: string, page: PageRequest): Awaitable<Page<Project>>;
  /** Returns the renamed project, or undefined when there is none. */
  renameProject(key: ProjectKey, name: string): Promise<Project | undefined>;
  /**
   * Deletes the project with its state and API keys; nothing of it can be read once this resolves. A project created
   * under the same key later starts its versions above every version that this one had.
   */
  deleteProject(key: ProjectKey): Promise<'deleted' | 'absent'>;

  /** `keyHash` is the SHA-256 of the key text. */
  createApiKey(key: ApiKey, keyHash: Uint8Array): Promise<'created' | 'no_project'>;
  findApiKey(keyHash: Uint8Array): Awaitable<ApiKey | undefined>;
  /** Newest first. */
  listApiKeys(key: ProjectKey): Awaitable<readonly ApiKey[]>;
  deleteApiKey(key: ProjectKey, keyId: string): Promise<'deleted' | 'absent'>;
  /** Moves `lastUsedAt` of the named keys forward (never back); unknown keys are passed over. No access change. */
  recordApiKeyUse(uses: readonly { readonly keyId: string; readonly usedAt: number }[]): Promise<void>;

  /** The current version. A read sees every write that was acknowledged before it began, and never goes back in time. */
  readPublicState(key: PublicStateKey): Awaitable<ReadOutcome<PublicState>>;
  /** One version by number; `absent` when there is no such version. */
  readPublicStateVersion(key: PublicStateKey, version: number): Awaitable<ReadOutcome<PublicState>>;
  /**
   * A run of versions below `before` (or from the newest on when null), newest first: no more than fit into
   * `charactersMax` of state text, but at least one; empty when none is left. Versions never change, so a caller can page
   * through history at its own pace without holding anything of the store.
   */
  listPublicStateVersions(
    key: PublicStateKey,
    run: { readonly before: number | null; readonly charactersMax: number },
  ): Awaitable<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }>;
  /**
   * Compares and writes in one step. The first version of a key is 1, or one above every version that a deleted project
   * of this key ever had; each later one is one more. The earlier versions stay. A write whose expectation holds but whose
   * bytes exceed what the account may store is not carried out. Resolves after the write is durable. Writes of one key are
   * carried out in the order in which they were asked for here.
   */
  writePublicState(key: PublicStateKey, expected: Expectation, next: NewPublicState): Promise<WriteOutcome>;

  /** All signing keys of a purpose, newest first. */
  listSigningKeys(purpose: SigningPurpose): Awaitable<readonly SigningKeyRecord[]>;
  /**
   * Adds a signing key if the newest one of its purpose is still `expectedNewest` (null: none yet), so that of several
   * processes that rotate at once only one adds.
   */
  addSigningKey(key: SigningKeyRecord, expectedNewest: string | null): Promise<'added' | 'superseded'>;
  /** Deletes keys of a purpose created before `createdBefore`, but never the newest. */
  deleteSigningKeys(purpose: SigningPurpose, createdBefore: number): Promise<number>;
}
