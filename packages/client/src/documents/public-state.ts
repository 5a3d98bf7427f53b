import { HoldfastError, isHoldfastError, objectIn } from '../errors.ts';
import { plainOf, printExact } from '../exact.ts';
import type { CallOptions, Limits } from '../limits.ts';
import { invalid, queryOf } from '../service.ts';
import { type Change, type Document, type Internals, internals, type UpdateOptions } from './document.ts';
import type { HistoryPage, PatchOperation, PublicRecord } from './records.ts';
import { createSharedState, nothing, type StateOptions } from './shared-state.ts';
import { recordOf, recordsOf, type Stored, unexpected } from './stored.ts';

/** Options of {@link PublicState.put} and {@link PublicState.patch}. */
export interface WriteOptions extends CallOptions {
  /** The version to replace, or null to create. If another version is current, the write fails with `version_conflict`. */
  readonly ifVersion: number | null;
  readonly comment?: string | undefined;
}

/** Options of {@link PublicState.update}. */
export interface PublicUpdateOptions<State> extends UpdateOptions<State> {
  readonly comment?: string | undefined;
}

/** Public state of one environment. A schema takes `Input` and returns `State`. */
export interface PublicState<State, Input = State> extends Internals<State> {
  /** Returns the current version, or null before the first write. */
  get(options?: CallOptions): Promise<PublicRecord<State> | null>;
  /** Replaces the whole document. */
  put(state: Input, options: WriteOptions): Promise<PublicRecord<State>>;
  /** Applies JSON Patch operations. */
  patch(ops: readonly PatchOperation[], options: WriteOptions): Promise<PublicRecord<State>>;
  /**
   * Changes the document: `change` changes the copy that it gets, or returns a new value, and the smallest patch is written. If another
   * writer was faster, `change` runs again on the newest document. The change is applied exactly once, even if a response is lost.
   */
  update(change: Change<State>, options?: PublicUpdateOptions<Input>): Promise<PublicRecord<State>>;
  /** Returns all versions, newest first. */
  versions(options?: CallOptions): Promise<PublicRecord<State>[]>;
  /** Returns one version, or null if it does not exist. */
  version(version: number, options?: CallOptions): Promise<PublicRecord<State> | null>;
  /** Returns a page of who wrote which version and when, newest first. */
  history(options?: CallOptions & { readonly limit?: number; readonly cursor?: string | null }): Promise<HistoryPage>;
  /** Writes an earlier version again, digit for digit, as a new version. */
  rollback(version: number, options?: CallOptions & { readonly comment?: string }): Promise<PublicRecord<State>>;
}

/** Returns the public state of a project. Sends nothing before the first call. */
export function createPublicState<State>(options: StateOptions<State>): PublicState<State> {
  const shared = createSharedState<State, PublicRecord<State>>(options);
  const { call } = shared[internals];
  /** Versions older than a schema change need not fit the schema. */
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
        // The record is sent back unchanged; of two comments the last one counts.
        const body = `${found.text.trimEnd().slice(0, -1)},"comment":${printExact(comment)}}`;
        return asStored(await document.replay(limits, async () => ['PUT', body]));
      }),
  };
}
