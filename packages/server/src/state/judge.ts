/**
 * Judges documents by schemas. Pure but for what it remembers: compiled schemas, and documents that patches have just been applied to. It
 * runs on the main thread for small documents, otherwise on an evaluation thread. The main thread compiles nothing: it is given schemas that
 * a thread has compiled.
 */
import { deserialize } from 'node:v8';
import { isJsonObject, type JsonObject, parseDocument } from '@holdfast/json';
import { LRUCache } from 'lru-cache';
import { evaluationStepsMax } from '../shapes/bounds.ts';
import type { Violation } from '../shapes/run.ts';
import { type CompiledShape, Shape } from '../shapes/shape.ts';
import type { Touched } from '../shapes/touched.ts';
import type { HeldOver } from './held-shape.ts';

/** Characters of a document that is judged on the main thread, and steps there: a few milliseconds each. */
export const judgedHereCharactersMax = 32_768;
const judgedHereStepsMax = 20_000;

/** Characters of the schemas whose compiled forms are kept on a thread: some 20 bytes each, and 8 when serialized. */
const known = new LRUCache<string, Shape>({ maxSize: 1_000_000 });
const serializedBytesOfCharacter = 8;

let compile: ((text: string) => CompiledShape) | undefined;

/** Makes this thread one that compiles schemas. */
export function compileHere(compileText: (text: string) => CompiledShape): void {
  compile = compileText;
}

/** Takes note of what a text compiles to, as another thread has serialized it. */
export function learnShape(text: string, serialized: Uint8Array): void {
  const size = Math.max(text.length, Math.ceil(serialized.length / serializedBytesOfCharacter));
  known.set(text, new Shape(deserialize(serialized)), { size });
}

/** The shape of a schema; undefined where this thread has not been told and does not compile. The text has been compiled before. */
function shapeOf(text: string): Shape | undefined {
  let shape = known.get(text);
  if (shape === undefined && compile !== undefined) {
    shape = new Shape(compile(text));
    known.set(text, shape, { size: text.length });
  }
  return shape;
}

/** Whether documents can be judged by the schema on this thread. */
export const isKnownHere = ({ schemaText }: HeldOver): boolean => compile !== undefined || known.has(schemaText);

/** Characters of the documents that are kept parsed on a thread: some 10 bytes each. */
const parsed = new LRUCache<string, JsonObject>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length });

/** The document of a stored text. A short one is remembered, since the next patch begins with it. */
export function documentOf(text: string): JsonObject {
  const remembered = parsed.get(text);
  if (remembered !== undefined) return remembered;
  const document = parseDocument(text);
  rememberDocument(text, document);
  return document;
}

/** Remembers the document of a text, if it is short. */
export function rememberDocument(text: string, document: unknown): void {
  if (text.length <= judgedHereCharactersMax && isJsonObject(document)) parsed.set(text, document);
}

/** A document to judge. */
export interface Judged {
  readonly text: string;
  /** What is known of its value. */
  readonly document?: JsonObject | undefined;
  /** The document before, for a player's write; null where there was none. Undefined: the rules of change do not hold. */
  readonly beforeText?: string | null | undefined;
}

/** What does not fit. Undefined when that would take more than a few milliseconds, with `isQuick`, or the schema is not known here. */
export function violationsOf(shape: HeldOver, judged: Judged, isQuick: boolean): readonly Violation[] | undefined {
  const { text, beforeText } = judged;
  if (isQuick && text.length > judgedHereCharactersMax) return undefined;
  if (isQuick && (beforeText?.length ?? 0) > judgedHereCharactersMax) return undefined;
  const judge = shapeOf(shape.schemaText);
  if (judge === undefined) return undefined;
  const document = judged.document ?? documentOf(text);
  const holdsRules = beforeText !== undefined && judge.hasRules;
  const change = holdsRules ? { before: beforeText === null ? undefined : documentOf(beforeText) } : undefined;
  return judge.judge(document, change, isQuick ? judgedHereStepsMax : evaluationStepsMax);
}

/** What does not fit of a document that fitted before, by what a patch has written. Undefined where that cannot be told, or not quickly. */
export function violationsOfTouched(
  shape: HeldOver,
  touched: readonly Touched[],
  isQuick: boolean,
): readonly Violation[] | undefined {
  return shapeOf(shape.schemaText)?.judgeTouched(
    touched,
    shape.byPlayer,
    isQuick ? judgedHereStepsMax : evaluationStepsMax,
  );
}

/** Whether a player's write may break rules of change of a schema. */
export const holdsRules = (shape: HeldOver): boolean => shape.byPlayer && shapeOf(shape.schemaText)?.hasRules === true;

/** What a stored or sent document does not fit, for who asks without writing, on a thread that compiles. */
export function judgeText(schemaText: string, judged: Judged): readonly Violation[] {
  const shape: HeldOver = {
    name: '',
    schemaText,
    mode: 'enforce',
    isSmall: true,
    byPlayer: judged.beforeText !== undefined,
  };
  return violationsOf(shape, judged, false) ?? [];
}
