/** Reads the documents of one kind of state. */

import type { Awaitable } from '../../common/async/awaitable.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';
import type { CurrentVersion, PublicStateKey, ReadOutcome } from '../../storage/contract/public-states.ts';
import type { UserStateKey } from '../../storage/contract/user-states.ts';
import type { Store } from '../../storage/store.ts';
import { listingCharactersMax } from '../documents/reads.ts';

export interface StoredText {
  readonly version: number;
  readonly stateText: string;
}

export interface Source<Key> {
  /** Milliseconds between checks for changes by other nodes. */
  readonly pollMilliseconds: number;
  /** Documents per query for current versions. */
  readonly keysMax: number;
  nameOf(key: Key): string;
  /** The account and subject that comparisons count against. */
  ownerOf(key: Key): Owner;
  read(key: Key): Awaitable<ReadOutcome<StoredText>>;
  currentVersions(keys: readonly Key[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /** Undefined if earlier versions are not kept. */
  readonly kept: KeptVersions<Key> | undefined;
}

export interface KeptVersions<Key> {
  readVersion(key: Key, version: number): Awaitable<ReadOutcome<StoredText>>;
  /** Versions below `before`, newest first, as many as one listing step returns. */
  listBelow(key: Key, before: number): Awaitable<readonly StoredText[]>;
}

/**
 * How often a node checks which versions are current. A node that writes alone announces every change itself, and the query only finds
 * changes made by operator commands.
 */
const pollMilliseconds = { sharedPublic: 250, sharedUser: 2_000, alone: 2_000 };
/** A thousand documents take a few milliseconds. With the embedded engine each is a look-up on this thread. */
const keysMax = { shared: 1_000, alone: 100 };

type PublicStore = Pick<
  Store,
  'readPublicState' | 'readPublicStateVersion' | 'listPublicStateVersions' | 'currentPublicVersions'
>;
type UserStore = Pick<Store, 'readUserState' | 'currentUserVersions'>;

/** Public state, which has earlier versions. `isShared` says whether other nodes may use the same store. */
export function publicSource(store: PublicStore, isShared: boolean): Source<PublicStateKey> {
  return {
    pollMilliseconds: isShared ? pollMilliseconds.sharedPublic : pollMilliseconds.alone,
    keysMax: isShared ? keysMax.shared : keysMax.alone,
    nameOf: ({ accountId, slug, environment }) => `${accountId}/${slug}/${environment}`,
    ownerOf: ({ accountId, slug, environment }) => ({ account: accountId, subject: `changes of ${slug}/${environment}` }),
    read: (key) => store.readPublicState(key),
    currentVersions: (keys) => store.currentPublicVersions(keys),
    kept: {
      readVersion: (key, version) => store.readPublicStateVersion(key, version),
      async listBelow(key, before) {
        const portion = await store.listPublicStateVersions(key, { before, charactersMax: listingCharactersMax });
        return portion.kind === 'versions' ? portion.versions : [];
      },
    },
  };
}

/** User state, of which only the current version is used. A player id may contain any character, so it comes last. */
export function userSource(store: UserStore, isShared: boolean): Source<UserStateKey> {
  const nameOf = ({ accountId, slug, environment, playerId }: UserStateKey) =>
    `${accountId}/${slug}/${environment}/${playerId}`;
  return {
    pollMilliseconds: isShared ? pollMilliseconds.sharedUser : pollMilliseconds.alone,
    keysMax: isShared ? keysMax.shared : keysMax.alone,
    nameOf,
    ownerOf: (key) => ({ account: key.accountId, subject: `changes of ${nameOf(key)}` }),
    read: (key) => store.readUserState(key),
    currentVersions: (keys) => store.currentUserVersions(keys),
    kept: undefined,
  };
}
