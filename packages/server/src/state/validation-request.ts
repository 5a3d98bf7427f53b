/** Requests to evaluation threads about schemas: reading a body that contains a schema, and validating documents. Pure. */
import { serialize } from 'node:v8';
import { commentCharactersMax, nestingDepthMax, type SchemaMode, schemaModes } from '@holdfast/contract';
import {
  decodeUtf8,
  isJsonObject,
  type JsonObject,
  JsonTextError,
  type JsonValue,
  parseJson,
  printJson,
} from '@holdfast/json';
import { Refusal } from '../common/refusal.ts';
import { isBlank } from '../common/shown-text.ts';
import { compileStateSchema } from '../schemas/compile-state-schema.ts';
import { type NewSchema, readNewSchema, type Warning } from '../schemas/new-schema.ts';
import type { Violation } from '../schemas/run.ts';
import { SchemaFault } from '../schemas/schema-fault.ts';
import { validateText } from './validate.ts';

export type ValidationRequest =
  /** Requests the compiled form of a stored schema, for the main thread. */
  | { readonly kind: 'compile'; readonly schemaText: string }
  /** The body of a PUT of a schema. */
  | { readonly kind: 'schema_body'; readonly body: Uint8Array; readonly requiresComment: boolean }
  /** The body of a check. */
  | { readonly kind: 'check_body'; readonly body: Uint8Array }
  | {
      readonly kind: 'validate';
      readonly schemaText: string;
      readonly documents: readonly { readonly text: string; readonly beforeText?: string | null }[];
    };

/** A schema in a body. */
export interface SentSchema {
  readonly kind: 'schema';
  readonly mode: SchemaMode;
  readonly schemaText: string;
  readonly instructions: number;
  readonly warnings: readonly Warning[];
  readonly comment: string | null;
}

/** A check in a body. `schemaText` is null if the schema is unusable; `violations` give the reasons. */
export interface SentCheck {
  readonly kind: 'check';
  readonly asks: 'state' | 'ops' | 'schema';
  readonly playerId: string | undefined;
  readonly schemaText: string | null;
  readonly violations: readonly PublicViolation[];
  readonly warnings: readonly Warning[];
  readonly scans: boolean;
  readonly cursor: string | null;
}

/** A violation as clients see it. */
export type PublicViolation = Pick<Violation, 'path' | 'keyword' | 'message'>;

export type ValidationReply =
  | SentSchema
  | SentCheck
  /** Null if too large for the main thread. */
  | { readonly kind: 'compiled'; readonly serialized: Uint8Array | null }
  | { readonly kind: 'validated'; readonly verdicts: readonly (readonly Violation[])[] }
  | { readonly kind: 'unusable'; readonly message: string; readonly violations: readonly PublicViolation[] };

/** Carries out the request. */
export function answerValidation(request: ValidationRequest): ValidationReply {
  if (request.kind === 'validate') {
    const { schemaText, documents } = request;
    return { kind: 'validated', verdicts: documents.map((document) => validateText(schemaText, document)) };
  }
  if (request.kind === 'compile') return { kind: 'compiled', serialized: serialized(request.schemaText) };
  try {
    return request.kind === 'schema_body' ? readSchema(request.body, request.requiresComment) : readCheck(request.body);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'unusable', message: error.message, violations: [] };
    if (error instanceof SchemaFault)
      return { kind: 'unusable', message: `the schema cannot be used: ${error.message}`, violations: [publicFault(error)] };
    throw error;
  }
}

/** The most bytes of a compiled schema that the main thread deserializes, in a millisecond or two. */
const serializedBytesMax = 262_144;

function serialized(schemaText: string): Uint8Array | null {
  const bytes = serialize(compileStateSchema(schemaText).compiled);
  return bytes.length > serializedBytesMax ? null : bytes;
}

const publicFault = ({ path, keyword, message }: SchemaFault): PublicViolation => ({ path, keyword, message });

function readSchema(body: Uint8Array, requiresComment: boolean): SentSchema {
  const members = membersOf(body);
  const { mode, comment = null } = members;
  const known = schemaModes.find((candidate) => candidate === mode);
  if (known === undefined) throw invalid(`"mode" must be one of ${schemaModes.join(', ')}`);
  if (!Object.hasOwn(members, 'schema')) throw invalid('"schema" is missing');
  if (comment !== null && (typeof comment !== 'string' || comment.length > commentCharactersMax)) {
    throw invalid(`"comment" must be a string of at most ${commentCharactersMax} characters, or null`);
  }
  if (requiresComment && isBlank(comment ?? '')) {
    throw invalid('"comment" must say what the change is for: the environment is protected');
  }
  const schemaText = printJson(members.schema ?? null);
  return { kind: 'schema', mode: known, schemaText, comment, ...readNewSchema(schemaText) };
}

function readCheck(body: Uint8Array): SentCheck {
  const members = membersOf(body);
  const named = (['state', 'ops', 'schema'] as const).filter((name) => Object.hasOwn(members, name));
  const [asks] = named;
  if (asks === undefined || named.length > 1) throw invalid('exactly one of "state", "ops" and "schema" is needed');
  const { endUserId: playerId, scan = false, cursor = null } = members;
  if (playerId !== undefined && typeof playerId !== 'string') throw invalid('"endUserId" must be a string');
  if (typeof scan !== 'boolean') throw invalid('"scan" must be a boolean');
  if (scan && asks !== 'schema') throw invalid('"scan" goes with "schema"');
  if (cursor !== null && (typeof cursor !== 'string' || !scan))
    throw invalid('"cursor" must be that of the slice before, with "scan"');
  const schemaText = asks === 'schema' ? printJson(members.schema ?? null) : null;
  const read = schemaText === null ? { warnings: [] } : readOrFault(schemaText);
  const fault = read instanceof SchemaFault ? read : undefined;
  return {
    kind: 'check',
    asks,
    playerId,
    schemaText: fault === undefined ? schemaText : null,
    violations: fault === undefined ? [] : [publicFault(fault)],
    warnings: read instanceof SchemaFault ? [] : read.warnings,
    scans: scan,
    cursor,
  };
}

function readOrFault(schemaText: string): NewSchema | SchemaFault {
  try {
    return readNewSchema(schemaText);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}

/** Nesting levels of the body around a document. */
const envelopeDepth = 3;

function membersOf(body: Uint8Array): JsonObject {
  const text = decodeUtf8(body);
  if (text === undefined) throw invalid('it is not valid UTF-8');
  const value = parsedBody(text);
  if (!isJsonObject(value)) throw invalid('it must be a JSON object');
  return value;
}

function parsedBody(text: string): JsonValue {
  try {
    return parseJson(text, nestingDepthMax + envelopeDepth);
  } catch (error) {
    if (error instanceof JsonTextError) throw invalid(error.message);
    throw error;
  }
}

const invalid = (fault: string): Refusal => new Refusal('validation_error', `body: ${fault}`);
