/**
 * Public state: one document for each environment of a project. Every version is kept.
 *
 * @see docs/contract.md §5.2 and §5.3
 */
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { portionsBy } from '../common/async/portions.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import type { Author, HistoryItem, PublicState, PublicStateKey } from '../storage/contract/public-states.ts';
import { publicScope } from '../storage/contract/repeats.ts';
import type { Store } from '../storage/store.ts';
import { type Announcements, noAnnouncements } from './changes/announcements.ts';
import { listingCharactersMax, recordOf } from './documents/reads.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { oldestKept } from './public-retention.ts';
import type { StateWrite } from './state-write.ts';
import { type StateKind, StateWriter, type WrittenState } from './state-writer.ts';
import type { Subscribers } from './subscribers.ts';
import { createTrials, type Trials } from './validation/trials.ts';
import { noWriteChecks, type WriteChecks } from './validation/write-checks.ts';

export interface PublicStates extends Trials {
  /** The current version, or null if nothing has been written. Refuses `not_found` if the project does not exist. */
  read(key: PublicStateKey): Awaitable<PublicState | null>;
  /** One version. Refuses `not_found` if it does not exist. */
  readVersion(key: PublicStateKey, version: number): Promise<PublicState>;
  /** All versions, newest first, a few at a time. Refuses `not_found` if the project does not exist, even half-way. */
  listVersions(key: PublicStateKey): AsyncIterableIterator<readonly PublicState[], undefined>;
  /** A page of the kept versions below `before`, newest first. Refuses `not_found` if the project does not exist. */
  history(
    key: PublicStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly hasMore: boolean }>;
  /** Replaces the document with the body's `state`. Refuses like {@link StateWriter.replace}. */
  replace(key: PublicStateKey, write: StateWrite): Promise<WrittenState>;
  /** Applies the body's `ops`. Refuses like {@link StateWriter.patch}. */
  patch(key: PublicStateKey, write: StateWrite): Promise<WrittenState>;
}

export interface PublicStateParts {
  readonly store: Store;
  readonly evaluator: Evaluator;
  readonly checks?: WriteChecks<PublicStateKey>;
  /** Notified of every write. */
  readonly watchers?: Announcements<PublicStateKey>;
  /** The webhooks that may subscribe to writes. */
  readonly subscribers?: Subscribers<PublicStateKey>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns public state. */
export function createPublicStates({
  store,
  evaluator,
  checks = noWriteChecks,
  watchers = noAnnouncements,
  subscribers,
  now,
}: PublicStateParts): PublicStates {
  const { readPublicState: read, recallPublicState: recall, writePublicState: write } = store;
  const kind: StateKind<PublicStateKey, PublicState, Author> = {
    read,
    recall,
    write,
    repeatScope: publicScope,
    watchers,
    subscribers,
  };
  const writer = new StateWriter({ store, kind, evaluator, checks, now });

  return {
    replace: writer.replace.bind(writer),
    patch: writer.patch.bind(writer),
    ...createTrials(evaluator, checks),
    read: (key) => mapAwaitable(read(key), (outcome) => recordOf(outcome, key)),

    async readVersion(key, version) {
      const record = recordOf(await store.readPublicStateVersion(key, version), key);
      if (record !== null && version >= (await oldestKept(store, key, now()))) return record;
      throw new Refusal('not_found', `environment "${key.environment}" has no version with this number`);
    },

    listVersions(key) {
      let first: number | undefined;
      let before: number | null = null;
      let isLast = false;
      return portionsBy(async () => {
        if (isLast) return undefined;
        first ??= await oldestKept(store, key, now());
        const portion = await store.listPublicStateVersions(key, { before, charactersMax: listingCharactersMax });
        if (portion.kind === 'no_project') throw noProject(key);
        const oldest = portion.versions.at(-1);
        if (oldest === undefined) return undefined;
        before = oldest.version;
        isLast = before <= first;
        const oldestShown = first;
        const kept = isLast ? portion.versions.filter(({ version }) => version >= oldestShown) : portion.versions;
        return kept.length > 0 ? kept : undefined;
      });
    },

    async history(key, page) {
      const outcome = await store.listPublicStateHistory(key, page);
      if (outcome.kind === 'no_project') throw noProject(key);
      const oldest = await oldestKept(store, key, now());
      const items = outcome.items.filter(({ version }) => version >= oldest);
      return { items, hasMore: outcome.hasMore && items.at(-1)?.version !== oldest && items.length > 0 };
    },
  };
}
