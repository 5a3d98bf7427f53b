import { afterEach, beforeEach, test } from 'vitest';
import type { Account } from '../contract/accounts.ts';
import type { ApiKey } from '../contract/api-keys.ts';
import type { Project, ProjectKey } from '../contract/projects.ts';
import type { Expectation, NewPublicState, PublicStateKey, WriteOutcome } from '../contract/public-states.ts';
import type { BackgroundTask } from '../contract/store-observer.ts';
import type { QuotaLimits } from '../contract/usage.ts';
import type { Store } from '../store.ts';
import { anAccount, anApiKey, aProject, byOperator } from './records.fixture.ts';

/** An empty store location. */
interface StoreHarness {
  /**
   * Opens the store of this location, as a server does. It must be closed before it is opened again. Without quotas everything is
   * unlimited.
   */
  open(quotas?: QuotaLimits): Promise<Store>;
  /** Opens the same location once more in parallel, as another process does. */
  openParallel(quotas?: QuotaLimits): Promise<Store>;
  /** Removes the location. Everything must be closed by then. */
  dispose(): Promise<void>;
}

export type CreateStoreHarness = () => Promise<StoreHarness>;

/** `npm test` runs the quick tests of a part, and some heavy ones at a small size; `npm run test:rest` runs the heavy ones at full size. */
export type Weight = 'quick' | 'heavy';

/** How a part of the contract that has heavy tests declares all of its tests. */
interface Cases {
  /** Declares a quick test. */
  test(title: string, body: () => Promise<void>): void;
  /** Declares a heavy test, which `npm test` does not have at all. */
  heavy(title: string, body: () => Promise<void>): void;
  /** Declares a heavy test with a small form. The body is called with the size of this weight. */
  sized(title: string, sizes: Record<Weight, number>, body: (size: number) => Promise<void>, timeout?: number): void;
  /** Declares a test of each text that this weight has. */
  each(title: string, texts: Record<Weight, readonly string[]>, body: (text: string) => Promise<void>): void;
}

/** Returns the declarations of a part; those of the other weight do nothing. */
export function casesOf(weight: Weight): Cases {
  const none = () => {};
  const declare = (title: string, body: () => Promise<void>) => test(title, body);
  return {
    test: weight === 'quick' ? declare : none,
    heavy: weight === 'heavy' ? declare : none,
    sized: (title, sizes, body, timeout) => test(title, () => body(sizes[weight]), timeout),
    each: (title, texts, body) => test.each(texts[weight])(title, body),
  };
}

/** What a test works with: an open store, and ways to reopen it or open it in parallel. All are closed after the test. */
export interface Opened {
  store: Store;
  /** Closes the store and opens it again. */
  reopen(): Promise<void>;
  openParallel(): Promise<Store>;
}

/** Opens a fresh store before each test and removes it afterwards. */
export function withStore(createHarness: CreateStoreHarness, quotas?: QuotaLimits): Opened {
  let harness: StoreHarness;
  const beside: Store[] = [];
  const opened: Opened = {
    store: undefined as unknown as Store,
    async reopen() {
      await opened.store.close();
      opened.store = await harness.open(quotas);
    },
    async openParallel() {
      const store = await harness.openParallel(quotas);
      beside.push(store);
      return store;
    },
  };
  beforeEach(async () => {
    harness = await createHarness();
    opened.store = await harness.open(quotas);
  });
  afterEach(async () => {
    for (const store of beside.splice(0)) await store.close();
    await opened.store.close();
    await harness.dispose();
  });
  return opened;
}

export const account = (accountId = 'acc_1', change: Partial<Account> = {}): Account => anAccount({ accountId, ...change });

export const project = (slug = 'p', change: Partial<Project> = {}): Project => aProject({ slug, ...change });

export const apiKey = (keyId: string, change: Partial<ApiKey> = {}): ApiKey => anApiKey({ keyId, ...change });

/** A stand-in for the SHA-256 of a key. */
export const hashOf = (keyId: string): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => keyId.charCodeAt(i % keyId.length));

/** Creates the account and project of `key`, if they are missing. */
export async function ensureProject(store: Store, { accountId, slug }: ProjectKey): Promise<void> {
  await store.createAccount(account(accountId));
  await store.createProject(byOperator, project(slug, { accountId }));
}

export const stateKey = (change: Partial<PublicStateKey> = {}): PublicStateKey => ({
  accountId: 'acc_1',
  slug: 'p',
  environment: 'production',
  ...change,
});

export const newState = (
  stateText = '{}',
  comment: string | null = null,
  change: Partial<NewPublicState> = {},
): NewPublicState => ({
  stateText,
  stateBytes: Buffer.byteLength(stateText),
  comment,
  writtenAt: 4_000,
  author: null,
  ...change,
});

export const absent: Expectation = { kind: 'absent' };
export const version = (number: number): Expectation => ({ kind: 'version', version: number });

/** Writes one version on top of the current one, whatever it is. */
export async function writeNext(store: Store, key: PublicStateKey, stateText = '{}'): Promise<WriteOutcome> {
  const current = await store.readPublicState(key);
  return store.writePublicState(
    key,
    current.kind === 'present' ? version(current.record.version) : absent,
    newState(stateText),
  );
}

/** Strings that storage engines are known to get wrong. */
export const unusualTexts: readonly string[] = [
  `it's "quoted" \\ and; -- DROP TABLE accounts`,
  'caf\u00e9 \u65e5\u672c\u8a9e \u{1f600} \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301 is not \u00e9',
  'nul \u0000 within',
  'lone \ud800 surrogates \udfff',
  '\ufeffbyte order mark, \ufffe and \uffff',
  '\u2028 \u2029 \r\n\t\u007f',
  '%s $1 ?1 :name @name {0}',
];

/** The same for both weights: all of them in one, which begins with a byte order mark, and each by itself. */
export const weirdTexts = { quick: [unusualTexts.toSorted().toReversed().join('')], heavy: unusualTexts };

/** An observer of background work, and what it received. */
export function observed() {
  const failures: { task: BackgroundTask; error: unknown }[] = [];
  const recoveries: BackgroundTask[] = [];
  const background = {
    onBackgroundFailure: (task: BackgroundTask, error: unknown) => void failures.push({ task, error }),
    onBackgroundRecovery: (task: BackgroundTask) => void recoveries.push(task),
  };
  return { failures, recoveries, background };
}
