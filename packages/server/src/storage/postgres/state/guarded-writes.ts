/**
 * Writes that must not exceed an account's limits, even under concurrent writes.
 *
 * Far below a limit, a write reads the usage of the account and continues: all writes that can run at the same time do not reach the limit
 * together. Near it, the account's writes run one at a time.
 */
import { LRUCache } from 'lru-cache';
import { partOfGuests } from '../../contract/guests.ts';
import type { QuotaLimits, QuotaReached } from '../../contract/usage.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Query } from '../connection/query.ts';
import { guestBytesOf, guestsOf, playersOf, storageBytesOf } from '../usage/usage-sums.ts';
import type { GuardedPath } from './write-paths.ts';

/** How far below its limits an account must be for writes without a lock. */
export interface Margin {
  readonly bytes: number;
  readonly players: number;
}

/** More than 300 simultaneous writes of the largest states (0.77 MB in UTF-8): more than a database has connections for. */
const safeMargin: Margin = { bytes: 256 * 1024 * 1024, players: 1_000 };
const noMargin: Margin = { bytes: 0, players: 0 };

/** What a refused write would have added. */
export interface NearLimit {
  readonly kind: 'near_limit';
  readonly bytes: number;
  readonly players: 0 | 1;
  /** Whether the state is a former guest's, and limited like any player's. */
  readonly isLinked?: boolean;
}

/** The player whose state is written. Guests may use part of the account's limits, and can be near that part alone. */
export interface WriteOwner {
  readonly accountId: string;
  readonly isGuest: boolean;
}

/** One conditional write. It is not carried out if the account would come closer to a limit than `margin`. */
type Attempt<Outcome> = (query: Query, margin: Margin) => Promise<Outcome | NearLimit>;

/** Returns the outcome of the decisive attempt. */
type CarryOut = <Outcome extends { readonly kind: string }>(
  owner: WriteOwner,
  attempt: Attempt<Outcome>,
) => Promise<Outcome | QuotaReached>;

export interface GuardedWrites {
  /**
   * The margin for a statement that writes to the account on its own; it may add at most as much as the largest state. Undefined if the
   * account is near a limit, and its writes run one at a time.
   */
  marginOf(accountId: string): Margin | undefined;
  /** Carry out a write of state in the account. With `records`, the account is locked even far from its limits. */
  readonly carryOut: Readonly<Record<GuardedPath, CarryOut>>;
}

/** How long an account that was near a limit counts as near. */
const nearMilliseconds = 5_000;
const accountsMax = 10_000;

/** Returns the guard through which all states are written. */
export function createGuardedWrites(database: Database, quotas: QuotaLimits): GuardedWrites {
  const near = new LRUCache<string, true>({ max: accountsMax, ttl: nearMilliseconds });
  const marginOf = (accountId: string) => (near.size === 0 || !near.has(accountId) ? safeMargin : undefined);
  const records: CarryOut = (owner, attempt) =>
    database.transaction('read committed', (query) => writeAlone(query, quotas, owner, attempt), owner.accountId);
  const guarded =
    (withQuery: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>): CarryOut =>
    async <Outcome extends { readonly kind: string }>(owner: WriteOwner, attempt: Attempt<Outcome>) => {
      const name = owner.isGuest ? `guests of ${owner.accountId}` : owner.accountId;
      const margin = marginOf(name);
      if (margin !== undefined) {
        const outcome = await withQuery((query) => attempt(query, margin));
        if (!isNearLimit(outcome)) return outcome;
        near.set(name, true);
      }
      return records(owner, attempt);
    };
  return {
    marginOf,
    carryOut: {
      statement: guarded((work) => work(database.query)),
      steps: guarded((work) => database.transaction('read committed', work)),
      records,
    },
  };
}

const isNearLimit = (outcome: { readonly kind: string }): outcome is NearLimit => outcome.kind === 'near_limit';

/** Every statement after the lock sees what the previous holder of the lock has written. */
async function writeAlone<Outcome extends { readonly kind: string }>(
  query: Query,
  quotas: QuotaLimits,
  owner: WriteOwner,
  attempt: Attempt<Outcome>,
): Promise<Outcome | QuotaReached> {
  // No row: the account does not exist, which the attempt will find.
  await query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [owner.accountId]);
  return decided(async () => {
    const outcome = await attempt(query, noMargin);
    // If no limit is reached, another write of the same record interfered; the next attempt sees it.
    return isNearLimit(outcome) ? quotaReached(query, quotas, owner, outcome) : outcome;
  });
}

async function quotaReached(
  query: Query,
  quotas: QuotaLimits,
  { accountId, isGuest }: WriteOwner,
  added: NearLimit,
): Promise<QuotaReached | undefined> {
  // No row: the account was deleted.
  const [row] = await query(
    `SELECT end_users_max, storage_bytes_max, ${playersOf('$1')} AS end_users, ${storageBytesOf('$1')} AS storage_bytes,
       ${guestsOf('$1')} AS guests, ${guestBytesOf('$1')} AS guest_bytes
     FROM accounts WHERE account_id = $1`,
    [accountId],
  );
  if (row === undefined) return undefined;
  const playersMax = optionalIntegerAt(row, 'end_users_max') ?? quotas.endUsers;
  const storageBytesMax = optionalIntegerAt(row, 'storage_bytes_max') ?? quotas.storageBytes;
  const [players, storageBytes] = [integerAt(row, 'end_users'), integerAt(row, 'storage_bytes')];
  if (playersMax > 0 && added.players > 0 && players + added.players > playersMax) {
    return { kind: 'quota', quota: 'endUsers', limit: playersMax, used: players };
  }
  if (storageBytesMax > 0 && added.bytes > 0 && storageBytes + added.bytes > storageBytesMax) {
    return { kind: 'quota', quota: 'storageBytes', limit: storageBytesMax, used: storageBytes };
  }
  if (!isGuest || added.isLinked === true) return undefined;
  const [guests, guestBytes] = [integerAt(row, 'guests'), integerAt(row, 'guest_bytes')];
  const [guestsMax, guestBytesMax] = [partOfGuests(playersMax), partOfGuests(storageBytesMax)];
  if (playersMax > 0 && added.players > 0 && guests + added.players > guestsMax) {
    return { kind: 'quota', quota: 'endUsers', limit: guestsMax, used: guests, isOfGuests: true };
  }
  if (storageBytesMax > 0 && added.bytes > 0 && guestBytes + added.bytes > guestBytesMax) {
    return { kind: 'quota', quota: 'storageBytes', limit: guestBytesMax, used: guestBytes, isOfGuests: true };
  }
  return undefined;
}
