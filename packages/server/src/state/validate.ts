/**
 * Validates documents against schemas. Pure apart from its memory: compiled schemas, and the latest patched documents. It runs on the main
 * thread for small documents, otherwise on an evaluation thread. The main thread compiles nothing: threads compile schemas for it.
 */
import { deserialize } from 'node:v8';
import { isJsonObject, type JsonObject, parseDocument } from '@holdfast/json';
import { LRUCache } from 'lru-cache';
import { evaluationStepsMax } from '../schemas/bounds.ts';
import type { Violation } from '../schemas/run.ts';
import { type CompiledStateSchema, StateSchema } from '../schemas/state-schema.ts';
import type { Touched } from '../schemas/touched.ts';
import type { ActiveSchema } from './active-schema.ts';

/** Characters of a document that the main thread validates, and steps there: a few milliseconds each. */
export const validatedHereCharactersMax = 32_768;
const validatedHereStepsMax = 20_000;

/** Characters of the schemas whose compiled forms a thread keeps: some 20 bytes each, and 8 when serialized. */
const known = new LRUCache<string, StateSchema>({ maxSize: 1_000_000 });
const serializedBytesOfCharacter = 8;

let compile: ((text: string) => CompiledStateSchema) | undefined;

/** Lets this thread compile schemas. */
export function compileHere(compileText: (text: string) => CompiledStateSchema): void {
  compile = compileText;
}

/** Remembers the compiled form of a schema's text, serialized by another thread. */
export function learnSchema(text: string, serialized: Uint8Array): void {
  const size = Math.max(text.length, Math.ceil(serialized.length / serializedBytesOfCharacter));
  known.set(text, new StateSchema(deserialize(serialized)), { size });
}

/** The compiled form of a schema's text, which was compiled before; undefined if this thread has none and does not compile. */
function stateSchemaOf(text: string): StateSchema | undefined {
  let stateSchema = known.get(text);
  if (stateSchema === undefined && compile !== undefined) {
    stateSchema = new StateSchema(compile(text));
    known.set(text, stateSchema, { size: text.length });
  }
  return stateSchema;
}

/** Whether documents can be validated by the schema on this thread. */
export const isKnownHere = ({ schemaText }: ActiveSchema): boolean => compile !== undefined || known.has(schemaText);

/** Characters of the parsed documents that a thread keeps: some 10 bytes each. */
const parsed = new LRUCache<string, JsonObject>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length });

/** The document of a stored text. A short one is remembered, since the next patch begins with it. */
export function documentOf(text: string): JsonObject {
  const remembered = parsed.get(text);
  if (remembered !== undefined) return remembered;
  const document = parseDocument(text);
  rememberDocument(text, document);
  return document;
}

/** Remembers the parsed document of a short text. */
export function rememberDocument(text: string, document: unknown): void {
  if (text.length <= validatedHereCharactersMax && isJsonObject(document)) parsed.set(text, document);
}

/** A document to validate. */
export interface Candidate {
  readonly text: string;
  /** Its parsed value, if known. */
  readonly document?: JsonObject | undefined;
  /** The document before, for a player's write; null if there was none. Undefined: the rules of change do not apply. */
  readonly beforeText?: string | null | undefined;
}

/** The violations. Undefined if finding them would take more than a few milliseconds, with `isQuick`, or the schema is not known here. */
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
 * The violations of a document that fitted before, by the values that a patch has written. Undefined if those do not decide, or not
 * quickly.
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

/** Whether a player's write may break rules of change of a schema. */
export const holdsRules = (schema: ActiveSchema): boolean =>
  schema.byPlayer && stateSchemaOf(schema.schemaText)?.hasRules === true;

/** The violations of a stored or sent document, for requests that do not write, on a thread that compiles. */
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
