/** Opens the storage engine. Apart from the commands, no other file does. */

import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';
import { requireMatchingKey } from '../secrets/matching-key.ts';
import { loadOrCreateSecretKeys } from '../secrets/secret-key.ts';
import { adviceAfterRollback } from '../storage/contract/installation.ts';
import type {
  BackgroundObserver,
  BeforeChange,
  OnClockOffset,
  OnRollback,
  OnUpgrade,
  StoreObserver,
} from '../storage/contract/store-observer.ts';
import type { QuotaLimits } from '../storage/contract/usage.ts';
import type { Store } from '../storage/store.ts';

export interface StoreObservers {
  readonly observer?: StoreObserver | undefined;
  readonly background?: BackgroundObserver | undefined;
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly onClockOffset?: OnClockOffset | undefined;
  readonly beforeChange?: BeforeChange | undefined;
  readonly onRollback?: OnRollback | undefined;
}

/** Returns observers that log what happens to the store while it is opened, or to its database. */
export function storeEventsTo(log: Log): Required<Pick<StoreObservers, 'onUpgrade' | 'onRollback'>> {
  return {
    onUpgrade: (upgrade) => log.info({ ...upgrade }, 'the database was upgraded'),
    onRollback: (versionFloor) =>
      log.warn({ versionFloor }, `the store went back to an earlier moment: ${adviceAfterRollback}`),
  };
}

/** Whether other nodes may use the same store. */
export const isShared = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean => databaseUrl !== undefined;

/** Connections of an operator command, which does one thing at a time. */
const commandConnectionsMax = 2;

/**
 * Opens the store of a server. Only one server can open a store of the embedded engine; any number of nodes can share one PostgreSQL. Throws an `Error`
 * that says why if it cannot be opened.
 */
export async function openServerStore(config: Config, observers: StoreObservers = {}): Promise<Store> {
  const { dataDir, databaseUrl: url, databaseConnections: connectionsMax } = config;
  const { databaseAnswerMilliseconds: answerMilliseconds } = config;
  const quotas = quotasOf(config);
  if (url === undefined) {
    const { openSqliteStore } = await import('../storage/sqlite/store.ts');
    const { observer, background, onUpgrade, onRollback, beforeChange } = observers;
    return openSqliteStore({
      dataDir,
      quotas,
      keepsCopy: config.upgradeCopy === 'on',
      observer,
      background,
      onUpgrade,
      onRollback,
      beforeChange,
    });
  }
  const { openPostgresStore } = await import('../storage/postgres/store.ts');
  return openPostgresStore({ url, connectionsMax, answerMilliseconds, quotas, ...observers });
}

/**
 * Opens the same store beside running servers, for an operator command. With `isKeyLost`, the secret key need not match. Throws as
 * `openServerStore` does.
 */
export async function openStoreForCommand(config: Config, { isKeyLost = false } = {}): Promise<Store> {
  const { dataDir, databaseUrl: url, upgradeCopy } = config;
  const beforeChange = isKeyLost ? undefined : requireKey(config);
  if (url === undefined) {
    const { openSqliteStore } = await import('../storage/sqlite/store.ts');
    return openSqliteStore({ dataDir, exclusive: false, keepsCopy: upgradeCopy === 'on', beforeChange });
  }
  const { openPostgresStore } = await import('../storage/postgres/store.ts');
  return openPostgresStore({ url, connectionsMax: commandConnectionsMax, beforeChange });
}

/** What must hold before a schema is created or changed: the secret key is usable and matches. */
export const requireKey =
  (config: Config): BeforeChange =>
  async (signingKeys) =>
    requireMatchingKey(loadOrCreateSecretKeys(config), signingKeys);

/** The quotas of accounts without their own. */
function quotasOf(config: Config): QuotaLimits {
  return {
    apiRequests: config.quotaApiRequestsPerMonth,
    projects: config.quotaProjects,
    endUsers: config.quotaEndUsers,
    storageBytes: config.quotaStorageBytes,
  };
}
