/** Schemas of states, digit for digit, and what validates documents against them. */
import type { SchemaCheckBody, SchemaKind, SchemaMode } from '@holdfast/contract';
import { ApiError, type CallResult } from '@holdfast/contract/call';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, send } from './http.ts';
import { pieceByPiece, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import type { StateKey } from './state.ts';

/** The schema of one kind of state in one environment. */
export interface SchemaKey extends StateKey {
  readonly kind: SchemaKind;
}

/** A version as it is stored. */
export interface SchemaRecord {
  readonly version: number;
  readonly mode: SchemaMode;
  readonly schema: JsonValue;
  readonly comment: string | null;
}

/** Where documents do not fit a schema, and how many. */
export type SchemaPlace = CallResult<'readSchemaReport'>['items'][number];

/** The name of a schema among the drafts. */
export const schemaKeyName = ({ accountId, slug, env, kind }: SchemaKey): string =>
  `${accountId}/${slug}/${env}/schema of ${kind}`;

/** Returns the current version, or null while there is none. */
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

/** The schema when something begins with it. It is not read again, however long that takes. */
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

export const readSchemaNow = (key: SchemaKey): Promise<SchemaRecord | null> => readSchema(key);

export const schemaHistoryQuery = (key: SchemaKey) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: keyOf('listSchemaHistory', key),
    queryFn: ({ pageParam, signal }) => call('listSchemaHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** One version; 0 is what was before the first, and not read. */
export const schemaVersionQuery = (key: SchemaKey, version: number) =>
  queryOptions({
    queryKey: keyOf('readSchemaVersion', { ...key, version }),
    queryFn: async () => recordOf(await (await send('readSchemaVersion', { params: { ...key, version } })).text()),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    placeholderData: (before: SchemaRecord | undefined) => before,
  });

const reportAgainMs = 5_000;

/** What writes did not fit. It is read again while somebody looks at it. */
export const schemaReportQuery = (key: SchemaKey) =>
  queryOptions({
    queryKey: keyOf('readSchemaReport', key),
    queryFn: async ({ signal }) => (await call('readSchemaReport', { params: key, signal })).items,
    refetchInterval: reportAgainMs,
  });

/** Reads again what shows a schema. */
export const forgetSchema = (key: SchemaKey): Promise<unknown> =>
  Promise.all(
    (['readSchema', 'listSchemaHistory', 'readSchemaReport'] as const).map((id) =>
      queryClient.invalidateQueries({ queryKey: keyOf(id, key) }),
    ),
  );

export interface SchemaWrite {
  /** The version that is replaced; null where there is to be none. */
  readonly base: SchemaRecord | null;
  readonly mode: SchemaMode;
  readonly schema: JsonValue;
  readonly comment: string;
}

/** Writes a schema. Returns undefined when somebody else was first: nothing was written then. Rejects as `send` does. */
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

/** Returns what a document does not fit, and what is wrong with its flags. */
export const checkDocument = (key: SchemaKey, state: JsonObject, signal?: AbortSignal): Promise<SchemaCheckBody> =>
  call('checkSchema', { params: key, body: { state }, signal });

/** Returns what is wrong with a schema. */
export const checkSchema = (key: SchemaKey, schema: JsonValue, signal?: AbortSignal): Promise<SchemaCheckBody> =>
  call('checkSchema', { params: key, body: { schema }, signal });
