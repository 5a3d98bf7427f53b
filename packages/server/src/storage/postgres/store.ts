/**
 * The distributed engine: any number of nodes on PostgreSQL, or on an engine that speaks its protocol. A node keeps no data that other
 * nodes could need, and queries the database for everything that must be exact.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { type Closers, openWhole } from '../../common/async/closers.ts';
import { type Clock, now, processClock } from '../../common/time/clock.ts';
import { dayMilliseconds } from '../../common/time/durations.ts';
import {
  type BackgroundObserver,
  type BeforeChange,
  type OnClockOffset,
  type OnRollback,
  type OnUpgrade,
  type StoreObserver,
  unobserved,
} from '../contract/store-observer.ts';
import { type QuotaLimits, unlimited } from '../contract/usage.ts';
import { bytesAt } from '../rows/columns.ts';
import { type Store, StoreError } from '../store.ts';
import type { DatabaseAddress } from './connection/address.ts';
import { type Database, openDatabase, reachDatabase, withDatabase } from './connection/database.ts';
import { follow, measureOffset, watchOffset } from './connection/database-clock.ts';
import { requireDurability } from './connection/durability.ts';
import { unusableDatabase } from './connection/faults.ts';
import type { Dependencies } from './dependencies.ts';
import { startHeartbeat } from './heartbeat.ts';
import { watchAccess } from './management/access-changes.ts';
import { isDistributed } from './schema/distribution.ts';
import { missingIndexes, startBuilding } from './schema/later-indexes.ts';
import { migrate, requireComplete } from './schema/migrations.ts';
import { createUpgrades } from './schema/upgrade.ts';
import { createSharedVerbs } from './shared-verbs.ts';
import { createRefreshFamilies } from './sign-in/refresh-families.ts';
import { RevokedTokenFeed } from './sign-in/revoked-tokens.ts';
import { createGuardedWrites } from './state/guarded-writes.ts';
import { distributedLayout, wholeLayout } from './state/layouts.ts';
import { createPublicStates } from './state/public/public-states.ts';
import { createRecordQueues } from './state/record-queues.ts';
import { createUserStates } from './state/user/user-states.ts';
import { startSweep } from './sweep/sweep.ts';
import { createOpenStreams } from './usage/open-streams.ts';
import { createRateWindows } from './usage/rate-windows.ts';
import { createSizes } from './usage/sizes.ts';

export interface PostgresStoreOptions {
  /** `postgres://…`; the parameter `pgbouncer=true` names a pooler that assigns connections by transaction. */
  readonly url: string;
  /** The maximum number of connections of this process. */
  readonly connectionsMax?: number;
  /** The time limit for an answer of the database. */
  readonly answerMilliseconds?: number;
  /** The approximate number of state characters to cache; 1 or 2 bytes each. */
  readonly cacheCharactersMax?: number;
  /** Default limits, for accounts that have no limits of their own; unlimited if omitted. */
  readonly quotas?: QuotaLimits;
  /** Receives commits and failures. */
  readonly observer?: StoreObserver | undefined;
  /** Receives failures that no request reports. */
  readonly background?: BackgroundObserver | undefined;
  /** Called when this process has upgraded the schema. */
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly beforeChange?: BeforeChange | undefined;
  /** Follows the clock of the database. Default: the process's clock. */
  readonly clock?: Clock;
  /** Receives each measurement of that clock. */
  readonly onClockOffset?: OnClockOffset | undefined;
  /** Called when this process has noticed that the database went back. */
  readonly onRollback?: OnRollback | undefined;
  /** Whether writes use the statements for a distributed database, which any database can run. Default: whether it is one. */
  readonly isDistributed?: boolean;
}

const defaultConnectionsMax = 16;
const defaultCacheCharactersMax = 32 * 1024 * 1024;

/**
 * Opens the store in a database, and creates and migrates its schema as needed. Throws an `Error` with the reason if the database cannot be
 * reached, does not keep confirmed writes, or does not match this program.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  try {
    return await openWhole((closers) => openParts(options, closers));
  } catch (error) {
    throw error instanceof StoreError ? unusableDatabase('that SVC_DATABASE_URL names', error) : error;
  }
}

async function openParts(options: PostgresStoreOptions, closers: Closers): Promise<Store> {
  const { connectionsMax = defaultConnectionsMax, cacheCharactersMax = defaultCacheCharactersMax } = options;
  const address = await reachDatabase(options.url, connectionsMax, options.answerMilliseconds);
  const { clock = processClock, onClockOffset = () => undefined } = options;
  const { bucketSecret, missing, offset, ...found } = await prepare(address, clock, options);
  onClockOffset(offset);
  const database = openDatabase(address, { observer: options.observer, answerMilliseconds: options.answerMilliseconds });
  closers.add(() => database.close());
  const { quotas = unlimited, background = unobserved } = options;
  const atOnce = closedAtOnce(closers);
  const ended = new RevokedTokenFeed(database.query);
  const access = await watchAccess(database, background, ended);
  atOnce.push(() => access.close());
  const heart = await startHeartbeat({ database, access, background, bucketSecret, onRollback: options.onRollback });
  const marks = () => heart.marks();
  atOnce.push(() => heart.close(), startSweep(database, background));
  atOnce.push(watchOffset(database.query, clock, { background, onClockOffset }));
  if (missing.length > 0) atOnce.push(startBuilding(address, missing, background));
  const queues = createRecordQueues();
  const writes = createGuardedWrites(database, quotas);
  const dependencies: Dependencies = {
    database,
    access,
    ended,
    quotas,
    queues,
    writes,
    background,
    bucketSecret,
    marks,
    layout: (options.isDistributed ?? found.isDistributed) ? distributedLayout : wholeLayout,
  };
  const shared = createSharedVerbs(dependencies);
  const openStreams = createOpenStreams(dependencies);
  const readiness = createReadiness(database);
  atOnce.push(openStreams.close, readiness.close);
  return {
    checkReady: readiness.check,
    close: () => closers.run(),
    onAccessChange: (listener) => access.onChange(listener),
    ...shared,
    ...createPublicStates({ ...dependencies, cacheCharactersMax }),
    ...createUserStates(dependencies),
    ...createRefreshFamilies(dependencies, shared.revokeRefreshFamily),
    ...createRateWindows(dependencies),
    ...createSizes(dependencies),
    ...openStreams.verbs,
    ...createUpgrades(dependencies),
    onTokensRevoked: (listener) => ended.onTokensRevoked(listener),
    ...heart.verbs(shared),
  };
}

/** Returns a list of what is closed at the same time: each may wait for an answer of the database, and a stop must not take long. */
function closedAtOnce(closers: Closers): (() => Promise<void>)[] {
  const list: (() => Promise<void>)[] = [];
  closers.add(async () => void (await Promise.all(list.map((close) => close()))));
  return list;
}

interface Prepared {
  /** Sorts players into buckets. */
  readonly bucketSecret: Uint8Array;
  /** The names of indexes still to be built. */
  readonly missing: readonly string[];
  /** How far the clock of the database is ahead of the machine's. */
  readonly offset: number;
  readonly isDistributed: boolean;
}

/** Prepares a database, on a connection that waits as long as necessary, once the clock has its time. */
async function prepare(
  address: DatabaseAddress,
  clock: Clock,
  { onUpgrade, beforeChange }: Pick<PostgresStoreOptions, 'onUpgrade' | 'beforeChange'>,
): Promise<Prepared> {
  return withDatabase(address, async (database) => {
    await requireDurability(database);
    const measured = await measureOffset(database.query);
    follow(clock, measured);
    await migrate(database, undefined, { onUpgrade, beforeChange });
    await requireComplete(database.query, 'the database that SVC_DATABASE_URL names');
    // No row: another process has added it.
    await database.query('INSERT INTO installation (id, bucket_secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
      randomBytes(32),
    ]);
    // One row, always.
    const [row = {}] = await database.query('SELECT bucket_secret FROM installation WHERE id = 1');
    return {
      bucketSecret: bytesAt(row, 'bucket_secret'),
      missing: await missingIndexes(database.query),
      offset: measured.offset,
      isDistributed: await isDistributed(database.query),
    };
  });
}

/** How long the probes of a node that ended without deleting them are kept. */
const probesKeptMilliseconds = dayMilliseconds;

/** Proves with a write that the database takes writes. */
function createReadiness(database: Database): { check(): Promise<void>; close(): Promise<void> } {
  const nodeId = randomUUID();
  return {
    async check() {
      database.requireSupported();
      // One row, always: a real write, so that a read-only database is noticed.
      await database.query(
        `INSERT INTO readiness_probes (node_id, probed_at) VALUES ($1, $2)
         ON CONFLICT (node_id) DO UPDATE SET probed_at = excluded.probed_at`,
        [nodeId, now()],
      );
    },
    async close() {
      // Any number of rows: this node's, and those of nodes that ended long ago.
      await database
        .query('DELETE FROM readiness_probes WHERE node_id = $1 OR probed_at < $2', [
          nodeId,
          now() - probesKeptMilliseconds,
        ])
        .catch(() => undefined);
    },
  };
}
