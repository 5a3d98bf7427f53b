/** Schemas of states, digit for digit, and validation of documents against them. */
import type { SchemaCheckBody, SchemaKind, SchemaMode } from '@holdfast/contract';
import { ApiError, type CallResult } from '@holdfast/contract/call';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, send } from './http.ts';
import { cursorPaging, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import type { StateKey } from './state.ts';
import { beforeQuery } from './version-before.ts';

/** The schema of one kind of state in one environment. */
export interface SchemaKey extends StateKey {
  readonly kind: SchemaKind;
}

/** A stored version. */
export interface SchemaRecord {
  readonly version: number;
  readonly mode: SchemaMode;
  readonly schema: JsonValue;
  readonly comment: string | null;
}

/** Where documents violate a schema, and how many do. */
export type SchemaViolationCount = CallResult<'readSchemaReport'>['items'][number];

/** The name of a schema's draft. */
export const schemaKeyName = ({ accountId, slug, env, kind }: SchemaKey): string =>
  `${accountId}/${slug}/${env}/schema of ${kind}`;

/** Returns the current version, or null if there is none. */
async function readSchema(key: SchemaKey, signal?: AbortSignal): Promise<SchemaRecord | null> {
  const response = await send('readSchema', { params: key, signal });
  return response.status === 204 ? null : recordOf(await response.text());
}

const isMode = (value: unknown): value is SchemaMode => value === 'off' || value === 'report' || value === 'enforce';

function recordOf(text: string): SchemaRecord {
  const body = parseJson(text);
  if (!isJsonObject(body) || body.schema === undefined || !isMode(body.mode)) {
    throw new TypeError('the service sent no schema');
  }
  const { version, mode, schema, comment } = body;
  return { version: Number(version), mode, schema, comment: typeof comment === 'string' ? comment : null };
}

export const schemaQuery = (key: SchemaKey) =>
  queryOptions({
    queryKey: keyOf('readSchema', key),
    queryFn: ({ signal }) => readSchema(key, signal),
  });

/** The schema when an edit begins. It is not read again, however long that takes. */
export const openingSchemaQuery = <Data>(
  use: 'editing' | 'writing',
  key: SchemaKey,
  read: (key: SchemaKey) => Promise<Data>,
) =>
  queryOptions({
    queryKey: [use, ...keyOf('readSchema', key)],
    queryFn: () => read(key),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

/** The kind that its page opens with: saves, if only they have a schema. It stays until the page is left. */
export const openingKindQuery = (key: StateKey) =>
  queryOptions({
    queryKey: ['opening', ...keyOf('readSchema', key)],
    queryFn: async ({ signal }): Promise<SchemaKind> => {
      const [ofConfiguration, ofSaves] = await Promise.all([
        readSchema({ ...key, kind: 'public-state' }, signal),
        readSchema({ ...key, kind: 'user-state' }, signal),
      ]);
      return ofConfiguration === null && ofSaves !== null ? 'user-state' : 'public-state';
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

export const readSchemaNow = (key: SchemaKey): Promise<SchemaRecord | null> => readSchema(key);

export const schemaHistoryQuery = (key: SchemaKey) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listSchemaHistory', key),
    queryFn: ({ pageParam, signal }) => call('listSchemaHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** One version; 0 means before the first, and is not read. */
export const schemaVersionQuery = (key: SchemaKey, version: number) =>
  queryOptions({
    queryKey: keyOf('readSchemaVersion', { ...key, version }),
    queryFn: async () => recordOf(await (await send('readSchemaVersion', { params: { ...key, version } })).text()),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    placeholderData: (before: SchemaRecord | undefined) => before,
  });

/** The number of the version before another one; 0 before the first. For 0, nothing is read. */
export const schemaVersionBeforeQuery = (key: SchemaKey, version: number) =>
  beforeQuery(keyOf('listSchemaHistory', key), version, {
    read: (one) => queryClient.fetchQuery(schemaVersionQuery(key, one)),
    list: (cursor) => call('listSchemaHistory', { params: key, query: { cursor } }),
  });

const reportAgainMs = 5_000;

/** The violations of writes. They are refreshed while the page is open. */
export const schemaReportQuery = (key: SchemaKey) =>
  queryOptions({
    queryKey: keyOf('readSchemaReport', key),
    queryFn: async ({ signal }) => (await call('readSchemaReport', { params: key, signal })).items,
    refetchInterval: reportAgainMs,
  });

/** Reads a schema again. */
export const forgetSchema = (key: SchemaKey): Promise<unknown> =>
  Promise.all(
    (['readSchema', 'listSchemaHistory', 'readSchemaReport'] as const).map((id) =>
      queryClient.invalidateQueries({ queryKey: keyOf(id, key) }),
    ),
  );

export interface SchemaWrite {
  /** The version to replace; null if none may exist. */
  readonly base: SchemaRecord | null;
  readonly mode: SchemaMode;
  readonly schema: JsonValue;
  readonly comment: string;
}

/** Writes a schema. Returns undefined, with nothing written, if somebody else was first. Rejects like `send`. */
export async function writeSchema(
  key: SchemaKey,
  { base, mode, schema, comment }: SchemaWrite,
): Promise<SchemaRecord | undefined> {
  const said = JSON.stringify(comment.trim() === '' ? null : comment.trim());
  const body = `{"mode":"${mode}","schema":${printJson(schema)},"comment":${said}}`;
  try {
    return recordOf(await (await send('replaceSchema', { params: key, ifVersion: base?.version ?? null, body })).text());
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return undefined;
    throw error;
  }
}

/** Returns the violations of a document, and the faults of its flags. */
export const checkDocument = (key: SchemaKey, state: JsonObject, signal?: AbortSignal): Promise<SchemaCheckBody> =>
  call('checkSchema', { params: key, body: { state }, signal });

/** Returns the faults of a schema. */
export const checkSchema = (key: SchemaKey, schema: JsonValue, signal?: AbortSignal): Promise<SchemaCheckBody> =>
  call('checkSchema', { params: key, body: { schema }, signal });
