import { HoldfastError, isHoldfastError, objectIn } from '../errors.ts';
import { plainOf, printExact } from '../exact.ts';
import type { CallOptions, Limits } from '../limits.ts';
import { invalid, queryOf } from '../service.ts';
import { type Change, type Document, type Internals, internals, type UpdateOptions } from './document.ts';
import type { HistoryPage, PatchOperation, PublicRecord } from './records.ts';
import { createSharedState, nothing, type StateOptions } from './shared-state.ts';
import { recordOf, recordsOf, type Stored, unexpected } from './stored.ts';

/** What {@link PublicState.put} and {@link PublicState.patch} take. */
export interface WriteOptions extends CallOptions {
  /** The version that the write replaces; null when there is to be none. Otherwise the write is refused with `version_conflict`. */
  readonly ifVersion: number | null;
  readonly comment?: string | undefined;
}

/** What {@link PublicState.update} takes. */
export interface PublicUpdateOptions<State> extends UpdateOptions<State> {
  readonly comment?: string | undefined;
}

/** The document of a project in one environment. `Input` is what a schema takes, `State` what it returns. */
export interface PublicState<State, Input = State> extends Internals<State> {
  /** The current version, or null when nothing has been written. */
  get(options?: CallOptions): Promise<PublicRecord<State> | null>;
  /** Replaces the whole document. */
  put(state: Input, options: WriteOptions): Promise<PublicRecord<State>>;
  /** Applies the operations of a JSON Patch. */
  patch(ops: readonly PatchOperation[], options: WriteOptions): Promise<PublicRecord<State>>;
  /**
   * Changes the document: `change` gets a copy and changes it, or returns a new value, and the smallest patch is written.
   * When somebody else wrote first, the document is read again and `change` is applied to it. The change is applied exactly
   * once, even when a response is lost.
   */
  update(change: Change<State>, options?: PublicUpdateOptions<Input>): Promise<PublicRecord<State>>;
  /** All versions, newest first. */
  versions(options?: CallOptions): Promise<PublicRecord<State>[]>;
  /** One version, or null when there is none with this number. */
  version(version: number, options?: CallOptions): Promise<PublicRecord<State> | null>;
  /** A page of who wrote which version and when, newest first. */
  history(options?: CallOptions & { readonly limit?: number; readonly cursor?: string | null }): Promise<HistoryPage>;
  /** Writes an earlier version again, as a new one, digit for digit. */
  rollback(version: number, options?: CallOptions & { readonly comment?: string }): Promise<PublicRecord<State>>;
}

/** Returns the public state of a project. Nothing is asked of the service before the first call. */
export function createPublicState<State>(options: StateOptions<State>): PublicState<State> {
  const shared = createSharedState<State, PublicRecord<State>>(options);
  const { call } = shared[internals];
  /** Versions that are older than a change of the schema need not fit it. */
  const asStored = (record: Stored) =>
    ({ stale: false, ...record, state: plainOf(record.state) }) as unknown as PublicRecord<State>;
  const readVersion = async (document: Document<State>, version: number, limits: Limits) => {
    if (!Number.isSafeInteger(version)) throw invalid(`a version is a whole number: ${version} is none`);
    try {
      const { text, ...received } = await document.call('GET', `/versions/${version}`, limits);
      return { record: recordOf({ text, ...received }), text };
    } catch (failure) {
      if (isHoldfastError(failure, 'not_found')) return null;
      throw failure;
    }
  };
  return {
    ...shared,
    put: (state, { ifVersion, comment, ...given } = nothing) =>
      call(given, async (document, limits) => document.shown(await document.put(state, ifVersion, comment, limits))),
    versions: (given = {}) =>
      call(given, async (document, limits) => recordsOf(await document.call('GET', '/versions', limits)).map(asStored)),
    version: (version, given = {}) =>
      call(given, async (document, limits) => {
        const found = await readVersion(document, version, limits);
        return found && asStored(found.record);
      }),
    history: ({ limit, cursor, ...given } = {}) =>
      call(given, async (document, limits) => {
        const query = queryOf({ limit, cursor: cursor || undefined });
        const { text, status } = await document.call('GET', `/history${query}`, limits);
        const { items, cursor: next = null, hasMore } = objectIn(text) ?? {};
        const isPage = Array.isArray(items) && (next === null || typeof next === 'string') && typeof hasMore === 'boolean';
        if (!isPage) throw unexpected('the response is no page of history', status);
        return { items, cursor: next, hasMore };
      }),
    rollback: (version, { comment = `Back to version ${version}`, ...given } = {}) =>
      call(given, async (document, limits) => {
        const found = await readVersion(document, version, limits);
        if (found === null) throw new HoldfastError('not_found', `there is no version ${version}`, { status: 404 });
        // The record goes back as it came; of two comments the last one counts.
        const body = `${found.text.trimEnd().slice(0, -1)},"comment":${printExact(comment)}}`;
        return asStored(await document.replay(limits, async () => ['PUT', body]));
      }),
  };
}
