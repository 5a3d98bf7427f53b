/** Opens the storage engine. No other file does, except for commands. */
import type { Config } from '../config/config.ts';
import type { Store } from '../storage/store.ts';
import type { BackgroundObserver, OnClockOffset, OnUpgrade, StoreObserver } from '../storage/store-observer.ts';
import type { QuotaLimits } from '../storage/usage-store.ts';

export interface StoreObservers {
  readonly observer?: StoreObserver | undefined;
  readonly background?: BackgroundObserver | undefined;
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly onClockOffset?: OnClockOffset | undefined;
}

/** The name of the engine in traces. */
export const engineName = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): 'sqlite' | 'postgresql' =>
  databaseUrl === undefined ? 'sqlite' : 'postgresql';

/** Connections of an operator's command, which does one thing at a time. */
const commandConnectionsMax = 2;

/**
 * Opens the store of a server. Only one server can open the embedded one; any number of nodes can share one PostgreSQL. Throws
 * an `Error` that says why when it cannot be opened.
 */
export async function openServerStore(config: Config, observers: StoreObservers = {}): Promise<Store> {
  const { dataDir, databaseUrl: url, databaseConnections: connectionsMax } = config;
  const { databaseAnswerMilliseconds: answerMilliseconds } = config;
  const quotas = quotasOf(config);
  if (url === undefined) {
    const { openSqliteStore } = await import('../storage/sqlite/store.ts');
    const { observer, background, onUpgrade } = observers;
    return openSqliteStore({ dataDir, quotas, keepsCopy: config.upgradeCopy === 'on', observer, background, onUpgrade });
  }
  const { openPostgresStore } = await import('../storage/postgres/store.ts');
  return openPostgresStore({ url, connectionsMax, answerMilliseconds, quotas, ...observers });
}

/** Opens the same store beside running servers, for an operator's command. */
export async function openStoreBeside({ dataDir, databaseUrl: url, upgradeCopy }: Config): Promise<Store> {
  if (url === undefined) {
    const { openSqliteStore } = await import('../storage/sqlite/store.ts');
    return openSqliteStore({ dataDir, exclusive: false, keepsCopy: upgradeCopy === 'on' });
  }
  const { openPostgresStore } = await import('../storage/postgres/store.ts');
  return openPostgresStore({ url, connectionsMax: commandConnectionsMax });
}

/** The quotas of accounts that have none of their own. */
function quotasOf(config: Config): QuotaLimits {
  return {
    apiRequests: config.quotaApiRequestsPerMonth,
    projects: config.quotaProjects,
    endUsers: config.quotaEndUsers,
    storageBytes: config.quotaStorageBytes,
  };
}
