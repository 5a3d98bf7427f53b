/**
 * The newest versions of a document at the cost of one: the oldest of them is read, with the changes between them. Versions whose changes
 * the service does not send are read individually, unless they are large.
 */
import { applyOperations, isJsonObject, type JsonObject, type JsonValue, parseJson, readOperations } from '@holdfast/json';
import { send } from './http.ts';
import { readVersion, type StateKey, type StateRecord } from './state.ts';

/** For older versions, the service sends the current document instead of changes. */
export const recentVersionsMax = 50;

/**
 * Returns a reader of versions of a document whose current version is `newest`. It reads each of the `count` newest once. `isLarge`: rejects
 * instead of reading the version individually.
 */
export function versionReader(
  key: StateKey,
  newest: number,
  count = recentVersionsMax,
): (version: number, signal: AbortSignal, isLarge?: boolean) => Promise<StateRecord> {
  const oldest = Math.max(1, newest - count);
  let recent: Promise<ReadonlyMap<number, JsonObject>> | undefined;
  return async (version, signal, isLarge = false) => {
    if (version >= oldest) {
      recent ??= readRecent(key, oldest, newest);
      const state = (await recent.catch(() => undefined))?.get(version);
      if (state !== undefined) return { version, state, comment: null, sizeBytes: 0 };
    }
    if (isLarge) throw new TypeError('a large version is not read individually');
    return readVersion(key, version, signal);
  };
}

/** Callers share it, so none of them ends it. */
async function readRecent(key: StateKey, oldest: number, newest: number): Promise<ReadonlyMap<number, JsonObject>> {
  const states = new Map<number, JsonObject>();
  let at = oldest;
  let state: JsonObject | undefined = (await readVersion(key, oldest)).state;
  while (state !== undefined) {
    states.set(at, state);
    if (at >= newest) break;
    const since = at;
    for (const { version, from, ops } of await readChanges(key, since)) {
      if (from !== at || ops === undefined) return states;
      const patched = applyOperations(state, ops);
      if (patched.kind !== 'patched') return states;
      state = patched.document;
      at = version;
      states.set(at, state);
    }
    if (at === since) break;
  }
  return states;
}

interface Change {
  readonly version: number;
  readonly from: number;
  /** Undefined if the service does not send them. */
  readonly ops: Operations | undefined;
}
type Operations = Parameters<typeof applyOperations>[1];

/** Returns the changes after a version, as many as the service sends in one response. */
async function readChanges(key: StateKey, since: number): Promise<readonly Change[]> {
  const response = await send('readPublicStateChanges', { params: key, query: { since, wait: 0 } });
  if (response.status !== 200) return [];
  const body = parseJson(await response.text());
  if (!isJsonObject(body) || !Array.isArray(body.events)) return [];
  return body.events
    .filter(isJsonObject)
    .map(({ version, from, ops = null }) => ({ version: Number(version), from: Number(from), ops: operationsOf(ops) }));
}

function operationsOf(ops: JsonValue): Operations | undefined {
  if (Array.isArray(ops) && ops.length === 0) return [];
  const read = readOperations(ops);
  return Array.isArray(read) ? read : undefined;
}
