/** Public state, digit for digit: bodies are read and written with the parser of the service. */
import type { Environment } from '@holdfast/contract';
import { diff, isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { ApiError, addressOf, call, send } from './http.ts';

export interface StateKey {
  readonly accountId: string;
  readonly slug: string;
  readonly env: Environment;
}

/** The name of an environment's document among the drafts. */
export const stateKeyName = ({ accountId, slug, env }: StateKey): string => `${accountId}/${slug}/${env}`;

/** A version as it is stored. */
export interface StateRecord {
  readonly version: number;
  readonly state: JsonObject;
  readonly comment: string | null;
  readonly sizeBytes: number;
}

export const emptyDocument: JsonObject = {};

/** The text that people edit: two spaces, numbers digit for digit. */
export const formatted = (value: JsonValue): string => JSON.stringify(value, null, 2);

/** Returns the current version, or null while nothing has been written. */
export async function readState(key: StateKey, signal?: AbortSignal): Promise<StateRecord | null> {
  const response = await send('GET', addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}', path(key)), {
    signal,
  });
  return response.status === 204 ? null : recordOf(await response.text());
}

/** Returns the current version unless it is `known`; undefined then. */
export async function readNewerState(
  key: StateKey,
  known: number,
  signal?: AbortSignal,
): Promise<StateRecord | null | undefined> {
  const address = addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}', path(key));
  const headers = { 'If-None-Match': `"${known}"` };
  const response = await send('GET', address, { signal, ...(known > 0 && { headers }) });
  if (response.status === 304) return undefined;
  return response.status === 204 ? null : recordOf(await response.text());
}

export async function readVersion(key: StateKey, version: number): Promise<StateRecord> {
  const parameters = { ...path(key), version };
  const address = addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}/versions/{version}', parameters);
  return recordOf(await (await send('GET', address)).text());
}

export interface StateWrite {
  /** What is stored, as far as known; null when nothing is. */
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  readonly comment: string;
}

/**
 * Writes the smallest patch from what is stored to `next`, guarded by its version. Returns undefined when somebody else was first: nothing
 * was written then. Rejects as `send` does.
 */
export async function writeState(key: StateKey, { base, next, comment }: StateWrite): Promise<StateRecord | undefined> {
  const address = addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}', path(key));
  const said = comment.trim() === '' ? null : comment.trim();
  try {
    const response =
      base === null
        ? await send('PUT', address, {
            headers: { 'If-None-Match': '*' },
            body: `{"state":${printJson(next)},"comment":${JSON.stringify(said)}}`,
          })
        : await send('PATCH', address, {
            headers: { 'If-Match': `"${base.version}"` },
            body: `{"ops":${JSON.stringify(diff(base.state, next))},"comment":${JSON.stringify(said)}}`,
          });
    return recordOf(await response.text());
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return undefined;
    throw error;
  }
}

const path = ({ accountId, slug, env }: StateKey) => ({ accountId, slug, env });

function recordOf(text: string): StateRecord {
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

/** The document of a player in one environment. */
export interface PlayerState {
  readonly version: number;
  readonly state: JsonObject;
}

/** Returns the state of a player, or null when there is none. */
export async function readPlayerState(key: StateKey, endUserId: string): Promise<PlayerState | null> {
  const parameters = { ...path(key), endUserId };
  const address = addressOf('/v1/{accountId}/projects/{slug}/user-states/{env}/{endUserId}', parameters);
  const response = await send('GET', address);
  return response.status === 204 ? null : recordOf(await response.text());
}

export interface PlayerRow extends PlayerState {
  readonly endUserId: string;
  readonly updatedAt: string;
}
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export async function listPlayers(key: StateKey, cursor?: string): Promise<Page<PlayerRow>> {
  const address = addressOf('/v1/{accountId}/projects/{slug}/user-states/{env}', path(key));
  return call('GET', address, { query: { cursor } });
}
