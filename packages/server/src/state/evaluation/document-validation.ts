/**
 * Validates documents against schemas. Pure apart from its caches of compiled schemas and recent patched documents. Runs on the main thread
 * for small documents, otherwise on an evaluation thread. The main thread does not compile schemas: threads do that for it.
 */
import { deserialize } from 'node:v8';
import { isJsonObject, type JsonObject, parseDocument } from '@holdfast/json';
import { LRUCache } from 'lru-cache';
import { evaluationStepsMax } from '../../schemas/bounds.ts';
import type { Violation } from '../../schemas/run.ts';
import { type CompiledStateSchema, StateSchema } from '../../schemas/state-schema.ts';
import type { Touched } from '../../schemas/touched.ts';
import type { ActiveSchema } from './active-schema.ts';

/** The most characters of a document, and validation steps, on the main thread: a few milliseconds each. */
export const validatedHereCharactersMax = 32_768;
const validatedHereStepsMax = 20_000;

/** Characters of the schemas whose compiled forms a thread caches, at some 20 bytes each, and 8 when serialized. */
const known = new LRUCache<string, StateSchema>({ maxSize: 1_000_000 });
const serializedBytesOfCharacter = 8;

let compile: ((text: string) => CompiledStateSchema) | undefined;

/** Allows this thread to compile schemas. */
export function compileHere(compileText: (text: string) => CompiledStateSchema): void {
  compile = compileText;
}

/** Caches a schema's compiled form, serialized by another thread. */
export function learnSchema(text: string, serialized: Uint8Array): void {
  const size = Math.max(text.length, Math.ceil(serialized.length / serializedBytesOfCharacter));
  known.set(text, new StateSchema(deserialize(serialized)), { size });
}

/** The cached compiled form of a schema. If there is none, compiles the schema, or returns undefined on a thread that does not compile. */
function stateSchemaOf(text: string): StateSchema | undefined {
  let stateSchema = known.get(text);
  if (stateSchema === undefined && compile !== undefined) {
    stateSchema = new StateSchema(compile(text));
    known.set(text, stateSchema, { size: text.length });
  }
  return stateSchema;
}

/** Whether this thread can validate documents against the schema. */
export const isKnownHere = ({ schemaText }: ActiveSchema): boolean => compile !== undefined || known.has(schemaText);

/** Characters of the parsed documents that a thread caches, at some 10 bytes each. */
const parsed = new LRUCache<string, JsonObject>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length });

/** Parses stored text. Caches a short document, since the next patch begins with it. */
export function documentOf(text: string): JsonObject {
  const remembered = parsed.get(text);
  if (remembered !== undefined) return remembered;
  const document = parseDocument(text);
  rememberDocument(text, document);
  return document;
}

/** Caches the parsed document of a short text. */
export function rememberDocument(text: string, document: unknown): void {
  if (text.length <= validatedHereCharactersMax && isJsonObject(document)) parsed.set(text, document);
}

/** A document to validate. */
export interface Candidate {
  readonly text: string;
  /** Its parsed value, if known. */
  readonly document?: JsonObject | undefined;
  /** The previous document, for a player's write; null if there was none. If undefined, the rules of change do not apply. */
  readonly beforeText?: string | null | undefined;
}

/**
 * Returns the violations; undefined if the schema is not known on this thread, or, with `isQuick`, if validation would take more than a few
 * milliseconds.
 */
export function violationsOf(
  schema: ActiveSchema,
  candidate: Candidate,
  isQuick: boolean,
): readonly Violation[] | undefined {
  const { text, beforeText } = candidate;
  if (isQuick && text.length > validatedHereCharactersMax) return undefined;
  if (isQuick && (beforeText?.length ?? 0) > validatedHereCharactersMax) return undefined;
  const stateSchema = stateSchemaOf(schema.schemaText);
  if (stateSchema === undefined) return undefined;
  const document = candidate.document ?? documentOf(text);
  const holdsRules = beforeText !== undefined && stateSchema.hasRules;
  const change = holdsRules ? { before: beforeText === null ? undefined : documentOf(beforeText) } : undefined;
  return stateSchema.validate(document, change, isQuick ? validatedHereStepsMax : evaluationStepsMax);
}

/**
 * Returns the violations of a document that fitted before, checking only the values that a patch has written; undefined if those are not
 * sufficient, or would take too long.
 */
export function violationsOfTouched(
  schema: ActiveSchema,
  touched: readonly Touched[],
  isQuick: boolean,
): readonly Violation[] | undefined {
  return stateSchemaOf(schema.schemaText)?.validateTouched(
    touched,
    schema.byPlayer,
    isQuick ? validatedHereStepsMax : evaluationStepsMax,
  );
}

/** Whether the writer is a player and the schema has rules of change. */
export const holdsRules = (schema: ActiveSchema): boolean =>
  schema.byPlayer && stateSchemaOf(schema.schemaText)?.hasRules === true;

/** Returns the violations of a stored or sent document, for requests that do not write. Runs on a thread that compiles. */
export function validateText(schemaText: string, candidate: Candidate): readonly Violation[] {
  const schema: ActiveSchema = {
    name: '',
    schemaText,
    mode: 'enforce',
    isSmall: true,
    byPlayer: candidate.beforeText !== undefined,
  };
  return violationsOf(schema, candidate, false) ?? [];
}
