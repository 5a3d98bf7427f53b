/** Public state, digit for digit: bodies are parsed and printed with the service's parser. */
import type { Environment } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { diff, isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { send } from './http.ts';

export interface StateKey {
  readonly accountId: string;
  readonly slug: string;
  readonly env: Environment;
}

/** The name of an environment's draft. */
export const stateKeyName = ({ accountId, slug, env }: StateKey): string => `${accountId}/${slug}/${env}`;

/** A stored version. */
export interface StateRecord {
  readonly version: number;
  readonly state: JsonObject;
  readonly comment: string | null;
  readonly sizeBytes: number;
}

export const emptyDocument: JsonObject = {};

/** The text for editing: two spaces, numbers digit for digit. */
export const formatted = (value: JsonValue): string => JSON.stringify(value, null, 2);

/** Returns the current version, or null before the first write. */
export async function readState(key: StateKey, signal?: AbortSignal): Promise<StateRecord | null> {
  return found(await send('readPublicState', { params: key, signal }));
}

/** Returns the current version; undefined if it is `known`. */
export async function readNewerState(
  key: StateKey,
  known: number,
  signal?: AbortSignal,
): Promise<StateRecord | null | undefined> {
  const response = await send('readPublicState', { params: key, knownVersion: known > 0 ? known : undefined, signal });
  return response.status === 304 ? undefined : found(response);
}

export async function readVersion(key: StateKey, version: number, signal?: AbortSignal): Promise<StateRecord> {
  return recordOf(await (await send('readPublicStateVersion', { params: { ...key, version }, signal })).text());
}

export interface StateWrite {
  /** The stored version as far as known; null if there is none. */
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  readonly comment: string;
}

/**
 * Writes the smallest patch from the stored version to `next`, with its version as a precondition. Returns undefined, with nothing written,
 * if somebody else was first. Rejects like `send`.
 */
export async function writeState(key: StateKey, { base, next, comment }: StateWrite): Promise<StateRecord | undefined> {
  const said = commentText(comment);
  if (base === null) {
    const body = `{"state":${printJson(next)},"comment":${said}}`;
    return writeUnlessMoved([key, null, body], (idempotencyKey) =>
      send('replacePublicState', { params: key, ifVersion: null, body, idempotencyKey }),
    );
  }
  const body = `{"ops":${JSON.stringify(diff(base.state, next))},"comment":${said}}`;
  return writeUnlessMoved([key, base.version, body], (idempotencyKey) =>
    send('patchPublicState', { params: key, ifVersion: base.version, body, idempotencyKey }),
  );
}

export const commentText = (comment: string): string => JSON.stringify(comment.trim() === '' ? null : comment.trim());

/** The last write with an unknown outcome. Repeating it uses the same key, so that it counts once. */
let unsettled: { readonly write: string; readonly idempotencyKey: string } | undefined;

/** Sends a write, which `write` identifies, and returns the text of the response. Rejects like `send`. */
export async function sendOnce(write: string, begin: (idempotencyKey: string) => Promise<Response>): Promise<string> {
  if (unsettled?.write !== write) unsettled = { write, idempotencyKey: crypto.randomUUID() };
  try {
    const text = await (await begin(unsettled.idempotencyKey)).text();
    unsettled = undefined;
    return text;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) unsettled = undefined;
    throw error;
  }
}

/** Returns the written record; undefined if somebody else was first. `parts` identify the write. */
async function writeUnlessMoved(
  parts: readonly [StateKey, version: number | null, body: string],
  begin: (idempotencyKey: string) => Promise<Response>,
): Promise<StateRecord | undefined> {
  try {
    return recordOf(await sendOnce(JSON.stringify(parts), begin));
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return undefined;
    throw error;
  }
}

/** The record in a response; null if there is none. */
const found = async (response: Response): Promise<StateRecord | null> =>
  response.status === 204 ? null : recordOf(await response.text());

export function recordOf(text: string): StateRecord {
  const body = parseJson(text);
  if (!isJsonObject(body) || !isJsonObject(body.state)) throw new TypeError('the service sent no record');
  const { version, state, comment, stateSizeBytes } = body;
  return {
    version: Number(version),
    state,
    comment: typeof comment === 'string' ? comment : null,
    sizeBytes: Number(stateSizeBytes ?? 0),
  };
}

/** The user state of a player in one environment. */
export interface UserStateKey extends StateKey {
  readonly endUserId: string;
}

/** Returns the current version of a user state, or null if there is none. */
export async function readUserState(key: UserStateKey, signal?: AbortSignal): Promise<StateRecord | null> {
  return found(await send('readPlayerState', { params: key, signal }));
}

export async function readUserStateVersion(key: UserStateKey, version: number, signal?: AbortSignal): Promise<StateRecord> {
  return recordOf(await (await send('readPlayerStateVersion', { params: { ...key, version }, signal })).text());
}

/** Writes a player's user state, like `writeState` for public state. */
export function writeUserState(key: UserStateKey, { base, next, comment }: StateWrite): Promise<StateRecord | undefined> {
  const ifVersion = base?.version ?? null;
  const body = `{"ops":${JSON.stringify(diff(base?.state ?? emptyDocument, next))},"comment":${commentText(comment)}}`;
  return writeUnlessMoved([key, ifVersion, body], (idempotencyKey) =>
    send('patchPlayerState', { params: key, ifVersion, body, idempotencyKey }),
  );
}
