/**
 * Public state: one document for each environment of a project, every version kept.
 *
 * @see docs/contract.md §5.2 and §5.3
 */

import type { Principal } from '../access/principal.ts';
import { Refusal } from '../common/refusal.ts';
import { whenHere } from '../storage/awaitable.ts';
import { publicScope } from '../storage/repeat-scopes.ts';
import type { Repeat } from '../storage/repeat-store.ts';
import type { Author, Awaitable, HistoryItem, PublicState, PublicStateKey, Store } from '../storage/store.ts';
import { type Announcements, nobodyWatches } from './changes/announcements.ts';
import type { SentRepeat } from './idempotency.ts';
import type { Precondition } from './precondition.ts';
import type { Evaluator } from './state-write.ts';
import {
  inScope,
  patchState,
  projectGone,
  recordOf,
  replaceState,
  type StateSlot,
  type WrittenState,
} from './state-write.ts';

/** State text that one step of a listing holds beside its first version, in characters: as much as a few writes bring. */
const listingCharactersMax = 100_000;

/** Who writes, and what is kept of the write when it may be sent again. */
export interface WrittenBy {
  readonly author: Author | null;
  readonly repeat?: SentRepeat | undefined;
}

export interface PublicStates {
  /** The current version, or null while nothing has been written. Refuses `not_found` when the project is gone. */
  read(key: PublicStateKey): Awaitable<PublicState | null>;
  /** One version. Refuses `not_found` when there is none of this number. */
  readVersion(key: PublicStateKey, version: number): Promise<PublicState>;
  /** All versions, newest first, a few at a time. Refuses `not_found` when the project is gone, also half-way. */
  listVersions(key: PublicStateKey): AsyncGenerator<readonly PublicState[], void, undefined>;
  /** A page of what is kept of the versions below `before`, newest first. Refuses `not_found` when the project is gone. */
  history(
    key: PublicStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly hasMore: boolean }>;
  /** Replaces the document by the `state` of the body. Refuses what `replaceState` refuses. */
  replace(key: PublicStateKey, precondition: Precondition, body: Uint8Array, by: WrittenBy): Promise<WrittenState>;
  /** Applies the `ops` of the body. Refuses what `patchState` refuses. */
  patch(key: PublicStateKey, precondition: Precondition, body: Uint8Array, by: WrittenBy): Promise<WrittenState>;
}

type WriteWork = (slot: StateSlot) => Promise<WrittenState>;

/** `now` gives milliseconds since the epoch; `changes` receives every write. */
export function createPublicStates(
  store: Store,
  evaluator: Evaluator,
  now: () => number,
  changes: Announcements<PublicStateKey> = nobodyWatches,
): PublicStates {
  const slot = (key: PublicStateKey, author: Author | null, repeat?: Repeat): StateSlot => ({
    owner: { account: key.accountId, subject: `${key.slug}/${key.environment}` },
    read: () => store.readPublicState(key),
    write: (expected, next, before) =>
      store.writePublicState(key, expected, { ...next, before, writtenAt: now(), author, repeat }),
    findRepeat: repeat && (() => store.findRepeat(key.accountId, repeat)),
    announce: (written) => {
      if (changes.watched.size > 0) changes.announce(key, written);
    },
  });
  const write = (key: PublicStateKey, { author, repeat }: WrittenBy, work: WriteWork): Promise<WrittenState> =>
    repeat === undefined
      ? work(slot(key, author))
      : inScope(store, key, repeat, publicScope).then((scoped) => work(slot(key, author, scoped)));

  return {
    read: (key) => whenHere(store.readPublicState(key), recordOf<PublicState>),

    async readVersion(key, version) {
      const record = recordOf(await store.readPublicStateVersion(key, version));
      if (record !== null) return record;
      throw new Refusal('not_found', `environment "${key.environment}" has no version of this number`);
    },

    async *listVersions(key) {
      let before: number | null = null;
      for (;;) {
        const run = await store.listPublicStateVersions(key, { before, charactersMax: listingCharactersMax });
        if (run.kind === 'no_project') throw projectGone();
        const oldest = run.versions.at(-1);
        if (oldest === undefined) return;
        yield run.versions;
        before = oldest.version;
      }
    },

    async history(key, page) {
      const outcome = await store.listPublicStateHistory(key, page);
      if (outcome.kind === 'no_project') throw projectGone();
      return outcome;
    },

    replace: (key, precondition, body, by) => write(key, by, (place) => replaceState(evaluator, place, precondition, body)),

    patch: (key, precondition, body, by) => write(key, by, (place) => patchState(evaluator, place, precondition, body)),
  };
}

/**
 * Returns the author of a version that a principal writes; null for an end user, who writes nothing that has a history.
 *
 * @see docs/contract.md §5.4
 */
export function authorOf(principal: Principal): Author | null {
  switch (principal.kind) {
    case 'developer':
      return { kind: 'developer', id: principal.subject };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return null;
  }
}
