/**
 * Judges documents by schemas. Pure but for what it remembers: compiled schemas, and documents that patches have just been applied to. It
 * runs on the main thread for small documents, otherwise on an evaluation thread.
 */
import { isJsonObject, type JsonObject, parseDocument } from '@holdfast/json';
import { LRUCache } from 'lru-cache';
import { evaluationStepsMax } from '../shapes/bounds.ts';
import type { Violation } from '../shapes/run.ts';
import { Shape } from '../shapes/shape.ts';
import type { Touched } from '../shapes/touched.ts';
import type { HeldOver } from './held-shape.ts';

/** Characters of a document that is judged on the main thread, and steps there: a few milliseconds each. */
export const judgedHereCharactersMax = 32_768;
const judgedHereStepsMax = 20_000;

/** Characters of the schemas whose compiled forms are kept on a thread: some 20 bytes each. */
const compiled = new LRUCache<string, Shape>({ maxSize: 1_000_000, sizeCalculation: (_, key) => key.length });

/** The compiled form of a schema, whose text has been compiled before. */
function shapeOf(text: string): Shape {
  let shape = compiled.get(text);
  if (shape === undefined) {
    shape = new Shape(text);
    compiled.set(text, shape);
  }
  return shape;
}

/** Characters of the documents that are kept parsed on a thread: some 10 bytes each. */
const parsed = new LRUCache<string, JsonObject>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length });

/** The document of a stored text. A short one is remembered, since the next patch begins with it. */
export function documentOf(text: string): JsonObject {
  const known = parsed.get(text);
  if (known !== undefined) return known;
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

/** What does not fit. Undefined, and only with `isQuick`, when that would take more than a few milliseconds. */
export function violationsOf(shape: HeldOver, judged: Judged, isQuick: boolean): readonly Violation[] | undefined {
  const { text, beforeText } = judged;
  if (isQuick && (!shape.isSmall || text.length > judgedHereCharactersMax)) return undefined;
  if (isQuick && (beforeText?.length ?? 0) > judgedHereCharactersMax) return undefined;
  const compiledShape = shapeOf(shape.schemaText);
  const document = judged.document ?? documentOf(text);
  const holdsRules = beforeText !== undefined && compiledShape.hasRules;
  const change = holdsRules ? { before: beforeText === null ? undefined : documentOf(beforeText) } : undefined;
  return compiledShape.judge(document, change, isQuick ? judgedHereStepsMax : evaluationStepsMax);
}

/** What does not fit of a document that fitted before, by what a patch has written. Undefined where that cannot be told, or not quickly. */
export function violationsOfTouched(
  shape: HeldOver,
  touched: readonly Touched[],
  isQuick: boolean,
): readonly Violation[] | undefined {
  if (isQuick && !shape.isSmall) return undefined;
  return shapeOf(shape.schemaText).judgeTouched(touched, shape.byPlayer, isQuick ? judgedHereStepsMax : evaluationStepsMax);
}

/** Whether a player's write may break rules of change of a schema. */
export const holdsRules = (shape: HeldOver): boolean => shape.byPlayer && shapeOf(shape.schemaText).hasRules;

/** What a stored or sent document does not fit, for who asks without writing. The schema has been compiled before. */
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
