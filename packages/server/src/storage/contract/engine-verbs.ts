/**
 * The verbs that each engine implements itself: those of every request, read or written in as few steps as its database allows, and what
 * only the engine knows. All other verbs are written once, in sql/verbs.ts.
 */
import type { Awaitable } from '../../common/async/awaitable.ts';
import type { Marks, RecordCounts, StoreBytes } from './installation.ts';
import type { Page } from './pages.ts';
import type {
  CurrentVersion,
  Expectation,
  HistoryOutcome,
  NewPublicState,
  PublicState,
  PublicStateKey,
  ReadOutcome,
  WriteOutcome,
} from './public-states.ts';
import { type OwnerOf, ofRecord } from './read-owner.ts';
import type { NextRefreshToken, RefreshOutcome, RefreshTerms, RefreshTokenKey, RevokedToken } from './sign-ins.ts';
import type { Allotment, OpenStreams, RateWindow, WindowDemand } from './usage.ts';
import type { ListedUserState, NewUserState, UserState, UserStateKey, UserStatePageRequest } from './user-states.ts';

export interface PublicStateVerbs {
  /** The current version. A read sees every write acknowledged before it began, and never goes back in time. */
  readPublicState(key: PublicStateKey): Awaitable<ReadOutcome<PublicState>>;
  /** The current version, or an earlier one, if it is in memory. */
  recallPublicState(key: PublicStateKey): PublicState | undefined;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readPublicState` sees. Over a network this
   * takes one statement, regardless of the number of keys.
   */
  currentPublicVersions(keys: readonly PublicStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /** One version by number; `absent` if there is no such version. */
  readPublicStateVersion(key: PublicStateKey, version: number): Awaitable<ReadOutcome<PublicState>>;
  /**
   * Versions below `before` (null: from the newest), newest first: as many as fit into `charactersMax` of state text, but at least one.
   * Empty if no version is left. Versions never change, so a caller can page through history at its own pace, and the store keeps nothing
   * open for it.
   */
  listPublicStateVersions(
    key: PublicStateKey,
    portion: { readonly before: number | null; readonly charactersMax: number },
  ): Awaitable<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }>;
  /**
   * The metadata of the versions below `before` (null: from the newest), newest first, and whether more follow. Documents are not read, so
   * the cost of a page depends neither on their size nor on its position.
   */
  listPublicStateHistory(
    key: PublicStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<HistoryOutcome>;
  /**
   * Compares and writes in one step. The first version of a key is 1, or one above every version of a deleted project with this key; each
   * later version is one more. Earlier versions stay. Even if its expectation holds, a write is refused if it exceeds the account's
   * storage. Resolves when the write is durable. Writes of one key are carried out in the order of the calls.
   *
   * With `repeat`, a write whose key is known is not carried out, whatever it expects (`repeated`). Otherwise the key is stored in the same
   * step as the write, if the write succeeds.
   *
   * With `application`, nothing is written unless the proposal may be applied or reverted (`not_applied`).
   */
  writePublicState(key: PublicStateKey, expected: Expectation, next: NewPublicState): Promise<WriteOutcome>;
}

export interface UserStateVerbs {
  /** The current state of a player. Sees every write acknowledged before it began. */
  readUserState(key: UserStateKey): Awaitable<ReadOutcome<UserState>>;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readUserState` sees. Over a network this
   * takes one statement, regardless of the number of keys.
   */
  currentUserVersions(keys: readonly UserStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /**
   * Compares and writes in one step. The first version is 1, each later one is one more. After a deletion, the player's next record starts
   * above every version it ever had, although the player's id is not stored for this. Even if its expectation holds, a write is refused if
   * it would exceed the account's limit of players or bytes. Guests together may use half of each limit. A write that shortens a state
   * always fits: if the replaced version cannot be kept, all earlier versions are dropped. Resolves when the write is durable. Writes and
   * deletions of one player are carried out in the order of the calls. `repeat` is as for `writePublicState`.
   */
  writeUserState(key: UserStateKey, expected: Expectation, next: NewUserState): Promise<WriteOutcome>;
  /**
   * A page of one environment, newest record first. The order of creation never changes while a record exists: pages neither skip nor
   * repeat a surviving record while others are written, created or deleted. `tie` of a position is opaque and not a player id. The cost of
   * a page does not depend on its position. With `bytesMax`, the page ends before the record whose state would exceed it, but has at least
   * one record; the next page begins with that record.
   */
  listUserStates(
    key: PublicStateKey,
    page: UserStatePageRequest,
  ): Awaitable<{ readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' }>;
}

export interface WindowVerbs {
  /**
   * Begins the window if there is none or it has ended, and grants the wanted number, or as many as are left. All processes together never
   * get more than the limit minus the use before the first of them asked. A window that ends more than two window lengths from now was
   * begun by a wrong clock and counts as ended.
   *
   * An engine for a single server process keeps no count: it grants that process everything not yet used, and grants nothing to a command
   * that runs alongside. A process that found nothing left therefore asks again only with its use since then, and never twice at the same
   * time. An engine may lose windows when its database server crashes.
   */
  takeFromWindow(window: RateWindow, demand: WindowDemand): Awaitable<Allotment>;
  /**
   * Gives back the unused part of an allotment of the window that ends at `endsAt`. `forgotten`, with nothing changed, if the window is
   * over, or if the engine leaves counting to the process.
   */
  returnToWindow(windowHash: Uint8Array, endsAt: number, count: number): Promise<'returned' | 'forgotten'>;
}

export interface StreamVerbs {
  /**
   * Reports this process's open streams in some projects to other processes, replacing its last report for these projects. Valid until
   * `expiresAt`. An engine for a single server process does nothing. An engine may lose reports when its database server crashes.
   */
  publishOpenStreams(open: readonly OpenStreams[], expiresAt: number): Promise<void>;
  /** The open streams of other processes in the account's projects at the time `now`: one entry for each project that has any. */
  readOpenStreams(accountId: string, now: number): Awaitable<readonly OpenStreams[]>;
}

export interface SizeVerbs {
  /** The current size of the store. */
  measureBytes(): Promise<StoreBytes>;
  /** Counts records in slices, so that other requests do not wait. It takes longer for more records, which may change in the meantime. */
  countRecords(): Promise<RecordCounts>;
}

export interface EngineVerbs extends PublicStateVerbs, UserStateVerbs, WindowVerbs, StreamVerbs, SizeVerbs {
  /** The marks as this process knows them: its own changes immediately, changes by other processes within two seconds. */
  marks(): Marks;
  /**
   * Whether all programs that use the store know a migration: always true on the embedded engine, which has one program, and for a store
   * created by a program that knew it; otherwise from the moment the operator finishes the upgrade, on every node.
   */
  isUpgradeFinished(migration: number): Awaitable<boolean>;
  /**
   * Calls `listener` with sessions and tokens that have ended. If they ended through this store, it is called before that verb's promise
   * resolves; if another process ended them, within a second. It may report the same one twice.
   */
  onTokensRevoked(listener: (ended: readonly RevokedToken[]) => void): void;
  /**
   * Replaces the family's current token with the next one in one step: of parallel uses, exactly one gets `consumed`. Using a token that is
   * not current revokes the family, unless it is the previous token and was replaced at most `graceMilliseconds` ago, or its exchange had
   * the same mark. Expired and revoked families are unknown. `idleExpiresAt` is never later than the end of the family.
   */
  consumeRefreshToken(
    token: RefreshTokenKey,
    next: NextRefreshToken,
    now: number,
    graceMilliseconds: number,
    terms?: RefreshTerms,
  ): Promise<RefreshOutcome>;
}

/** A verb that changes nothing. */
export interface ReadKind<Args extends readonly unknown[]> {
  readonly kind: 'read';
  /** Whose turn it waits for, if it reads many or large records. Undefined if it reads one record, or a few small ones, by key. */
  readonly ownerOf: OwnerOf<Args> | undefined;
}

/** A verb that writes what a request asks for. */
export interface WriteKind {
  readonly kind: 'write';
  /**
   * Whether it only proves something about a write that is not evaluated yet. The permit of a request is then checked here, and again at
   * the write.
   */
  readonly preparesWrite?: boolean;
}

/** What callers must know of a verb. Upkeep serves the service itself: counts, sizes, marks. */
export type VerbKind<Args extends readonly unknown[]> = ReadKind<Args> | WriteKind | { readonly kind: 'upkeep' };

const [write, upkeep] = [{ kind: 'write' }, { kind: 'upkeep' }] as const;
const smallRead = { kind: 'read', ownerOf: undefined } as const;
const largeReadOfRecord = { kind: 'read', ownerOf: ofRecord } as const;

export const engineVerbs = {
  readPublicState: smallRead,
  recallPublicState: smallRead,
  currentPublicVersions: smallRead,
  readPublicStateVersion: largeReadOfRecord,
  listPublicStateVersions: largeReadOfRecord,
  listPublicStateHistory: largeReadOfRecord,
  writePublicState: write,
  readUserState: smallRead,
  currentUserVersions: smallRead,
  writeUserState: write,
  listUserStates: largeReadOfRecord,
  takeFromWindow: upkeep,
  returnToWindow: upkeep,
  publishOpenStreams: upkeep,
  readOpenStreams: smallRead,
  measureBytes: upkeep,
  countRecords: upkeep,
  marks: upkeep,
  isUpgradeFinished: smallRead,
  onTokensRevoked: upkeep,
  consumeRefreshToken: write,
} as const satisfies { readonly [Name in keyof EngineVerbs]: VerbKind<Parameters<EngineVerbs[Name]>> };
