/**
 * The embedded engine: SQLite in write-ahead mode. Reads are synchronous, from the cache or this thread's own connection. Writes are sent
 * to a writer thread, which commits them in groups and replies when they are durable.
 */
import { type Closers, openWhole } from '../../common/async/closers.ts';
import { AccessListeners, everything } from '../caches/access-changes.ts';
import type { Marks } from '../contract/installation.ts';
import { type BackgroundObserver, type StoreObserver, unobserved } from '../contract/store-observer.ts';
import { type QuotaLimits, unlimited } from '../contract/usage.ts';
import { runNow } from '../sql/steps.ts';
import { readMarks } from '../sql/upkeep/store-rollback.ts';
import type { Store } from '../store.ts';
import { databasePath } from './directory/database.ts';
import { prepareDirectory, type UpgradeOptions } from './directory/startup.ts';
import { Reader } from './reader.ts';
import { RecordCache } from './record-cache.ts';
import { createSharedVerbs } from './shared-verbs.ts';
import { createRefreshFamilies } from './sign-in/refresh-families.ts';
import { createRevokedTokenFeed, type RevokedTokenFeed } from './sign-in/revoked-tokens.ts';
import { createPublicStates } from './state/public-states.ts';
import { createUserStates } from './state/user-states.ts';
import { translated } from './steps.ts';
import { createOpenStreams, createRateWindows } from './usage/single-process.ts';
import { createSizes } from './usage/sizes.ts';
import { createChangeAccess, smallCommandCharacters } from './writer/changes.ts';
import { WriteQueue } from './writer/write-queue.ts';

export interface SqliteStoreOptions extends UpgradeOptions {
  /** Created with mode 0700 if missing. */
  readonly dataDir: string;
  /**
   * True, the default, for the server: no second server can then open the directory. False for an operator command, which works alongside a
   * server or alone.
   */
  readonly exclusive?: boolean;
  /** The approximate number of state characters to cache; 1 or 2 bytes each. */
  readonly cacheCharactersMax?: number;
  /** Default limits, for accounts that have no limits of their own; unlimited if omitted. */
  readonly quotas?: QuotaLimits;
  /** Receives commits, failures and the queue. */
  readonly observer?: StoreObserver | undefined;
  /** Receives failures that no request reports. */
  readonly background?: BackgroundObserver | undefined;
}

const defaultCacheCharactersMax = 32 * 1024 * 1024;

/**
 * Opens the store in a data directory, creating and migrating its database as needed. Throws an `Error` that names the directory if another
 * server uses it, and one that names the migration if the database does not match this program.
 */
export function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openWhole((closers) => openParts(options, closers));
}

async function openParts(options: SqliteStoreOptions, closers: Closers): Promise<Store> {
  const { dataDir, exclusive = true, cacheCharactersMax = defaultCacheCharactersMax, quotas = unlimited } = options;
  const lock = await prepareDirectory(dataDir, exclusive, options);
  closers.add(() => lock?.release());
  const path = databasePath(dataDir);
  const cache = new RecordCache(cacheCharactersMax);
  const access = new AccessListeners();
  const reader = new Reader(path);
  const onChange = () => {
    cache.clear();
    access.notify(everything);
    // Without the database no token is accepted either, because the cached data for checking it is forgotten.
    void ended?.poll().catch(() => undefined);
  };
  let ended: RevokedTokenFeed | undefined;
  const observers = { onChange, observer: options.observer, background: options.background ?? unobserved };
  const queue = await WriteQueue.start({ path, sweeps: exclusive, quotas }, observers);
  // The writer closes after the reader, so it moves the whole write-ahead log into the database.
  closers.add(() => queue.close());
  closers.add(() => cache.clear());
  closers.add(() => reader.close());
  ended = createRevokedTokenFeed(reader);
  const changeAccess = createChangeAccess(cache, queue, access, ended);
  const marks = cacheMarks(reader, access);
  const dependencies = { cache, access, changeAccess, ended, queue, reader, lock, quotas, marks };
  return {
    async checkReady() {
      reader.get('SELECT 1 FROM accounts LIMIT 1');
      await queue.submit(smallCommandCharacters, 'checkReady');
    },
    close: () => closers.run(),
    onAccessChange: (listener) => access.add(listener),
    // No older program can use the database alongside this one.
    isUpgradeFinished: () => true,
    marks,
    ...createSharedVerbs(dependencies),
    ...createPublicStates(dependencies),
    ...createUserStates(dependencies),
    ...createRateWindows(dependencies),
    ...createSizes({ reader: dependencies.reader, path }),
    ...createOpenStreams(),
    ...createRefreshFamilies(dependencies),
    onTokensRevoked: ended.onTokensRevoked,
  };
}

/** The cached marks. They change with any possible change, and only if no other service writes. */
function cacheMarks(reader: Reader, access: AccessListeners): () => Marks {
  const query = translated(
    (sql) => sql,
    (sql, values) => reader.all(sql, ...values),
  );
  let held: Marks | undefined = runNow(readMarks(), query);
  access.add((change) => {
    if (change === everything) held = undefined;
  });
  return () => {
    held ??= runNow(readMarks(), query);
    return held;
  };
}
