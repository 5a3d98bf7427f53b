/** Requests to evaluation threads about schemas: reading a body that contains a schema, and validating documents. Pure. */
import { serialize } from 'node:v8';
import { type SchemaMode, schemaModes } from '@holdfast/contract';
import { fill, schemaRefusalMessages } from '@holdfast/contract/messages';
import { printJson } from '@holdfast/json';
import { Refusal } from '../../common/requests/refusal.ts';
import { compileStateSchema } from '../../schemas/compile-state-schema.ts';
import { type NewSchema, readNewSchema, type Warning } from '../../schemas/new-schema.ts';
import type { Violation } from '../../schemas/run.ts';
import { SchemaFault } from '../../schemas/schema-fault.ts';
import { invalid, membersOf } from './body-members.ts';
import { readComment } from './comment.ts';
import { validateText } from './document-validation.ts';
import { orRefused, type Refused } from './thread-refusal.ts';

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
interface SentSchema {
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
  | Refused;

/** Carries out the request. */
export function answerValidation(request: ValidationRequest): ValidationReply {
  if (request.kind === 'validate') {
    const { schemaText, documents } = request;
    return { kind: 'validated', verdicts: documents.map((document) => validateText(schemaText, document)) };
  }
  if (request.kind === 'compile') return { kind: 'compiled', serialized: serialized(request.schemaText) };
  return orRefused(() => (request.kind === 'schema_body' ? readSchema(request) : readCheck(request.body)));
}

/** The most bytes of a compiled schema that the main thread deserializes, in a millisecond or two. */
const serializedBytesMax = 262_144;

function serialized(schemaText: string): Uint8Array | null {
  const bytes = serialize(compileStateSchema(schemaText).compiled);
  return bytes.length > serializedBytesMax ? null : bytes;
}

const publicFault = ({ path, keyword, message }: SchemaFault): PublicViolation => ({ path, keyword, message });

function readSchema({ body, requiresComment }: Extract<ValidationRequest, { kind: 'schema_body' }>): SentSchema {
  const members = membersOf(body);
  const { mode } = members;
  const known = schemaModes.find((candidate) => candidate === mode);
  if (known === undefined) throw invalid(`"mode" must be one of ${schemaModes.join(', ')}`);
  if (!Object.hasOwn(members, 'schema')) throw invalid('"schema" is missing');
  const comment = readComment(members, requiresComment);
  const schemaText = printJson(members.schema ?? null);
  return { kind: 'schema', mode: known, schemaText, comment, ...readOrRefuse(schemaText) };
}

function readCheck(body: Uint8Array): SentCheck {
  const members = membersOf(body);
  const named = (['state', 'ops', 'schema'] as const).filter((name) => Object.hasOwn(members, name));
  const [asks] = named;
  if (asks === undefined || named.length > 1) throw invalid('exactly one of "state", "ops" and "schema" is needed');
  const { endUserId: playerId, scan = false, cursor = null } = members;
  if (playerId !== undefined && typeof playerId !== 'string') throw invalid('"endUserId" must be a string');
  if (typeof scan !== 'boolean') throw invalid('"scan" must be a boolean');
  if (scan && asks !== 'schema') throw invalid('"scan" needs "schema"');
  if (cursor !== null && (typeof cursor !== 'string' || !scan))
    throw invalid('"cursor" must come from the previous response, and needs "scan"');
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

/** Refuses `validation_error` with the schema's violations. */
function readOrRefuse(schemaText: string): NewSchema {
  const read = readOrFault(schemaText);
  if (!(read instanceof SchemaFault)) return read;
  const details = { violations: [publicFault(read)] };
  throw new Refusal('validation_error', fill(schemaRefusalMessages.schema, { fault: read.message }), { details });
}

function readOrFault(schemaText: string): NewSchema | SchemaFault {
  try {
    return readNewSchema(schemaText);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}
