/**
 * The newest versions of a document at the price of one: the oldest of them is read, and what leads from each to the next. What the service
 * does not tell as a change is read by itself.
 */
import { applyOperations, isJsonObject, type JsonObject, type JsonValue, parseJson, readOperations } from '@holdfast/json';
import { send } from './http.ts';
import { readVersion, type StateKey, type StateRecord } from './state.ts';

/** From further back, the service sends the current document instead of changes. */
export const recentVersionsMax = 50;

/** Returns what reads versions of a document whose current version is `newest`. It reads each of the newest once. */
export function versionReader(
  key: StateKey,
  newest: number,
): (version: number, signal: AbortSignal) => Promise<StateRecord> {
  const oldest = Math.max(1, newest - recentVersionsMax);
  let recent: Promise<ReadonlyMap<number, JsonObject>> | undefined;
  return async (version, signal) => {
    if (version >= oldest) {
      recent ??= readRecent(key, oldest, newest, signal);
      const state = (await recent.catch(() => undefined))?.get(version);
      if (signal.aborted) recent = undefined;
      if (state !== undefined) return { version, state, comment: null, sizeBytes: 0 };
    }
    return readVersion(key, version, signal);
  };
}

async function readRecent(
  key: StateKey,
  oldest: number,
  newest: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, JsonObject>> {
  const states = new Map<number, JsonObject>();
  let at = oldest;
  let state: JsonObject | undefined = (await readVersion(key, oldest, signal)).state;
  while (state !== undefined) {
    states.set(at, state);
    if (at >= newest) break;
    const since = at;
    for (const { version, from, ops } of await readChanges(key, since, signal)) {
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
  /** Undefined where the service does not tell them. */
  readonly ops: Operations | undefined;
}
type Operations = Parameters<typeof applyOperations>[1];

/** Returns the changes that follow a version, as far as the service tells them at once. */
async function readChanges(key: StateKey, since: number, signal: AbortSignal): Promise<readonly Change[]> {
  const response = await send('readPublicStateChanges', { params: key, query: { since, wait: 0 }, signal });
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
