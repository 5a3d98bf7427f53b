/**
 * From the body of a state write to the text of the new state. This is pure, and the most expensive part of a write. It runs on the main
 * thread for small bodies and on an evaluation thread for large ones, so its input and output are plain data.
 *
 * @see docs/contract.md §4.5 and §4.7
 */
import { commentCharactersMax, type ErrorCode, nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import {
  applyOperations,
  decodeUtf8,
  isJsonObject,
  isQuickPatch,
  type JsonObject,
  JsonTextError,
  type JsonValue,
  type PatchOperation,
  parseJson,
  patchText,
  printJson,
  readOperations,
  type TextEdit,
  type ValueEnds,
} from '@holdfast/json';
import { isBlank } from '../common/blank-text.ts';
import { Refusal } from '../common/refusal.ts';
import type { Violation } from '../schemas/run.ts';
import type { ActiveSchema } from './active-schema.ts';
import { touchedValues } from './touched-values.ts';
import {
  type Candidate,
  documentOf,
  holdsRules,
  isKnownHere,
  rememberDocument,
  validatedHereCharactersMax,
  violationsOf,
  violationsOfTouched,
} from './validate.ts';

/** A body as received. */
interface BodyRequest {
  readonly body: Uint8Array;
  /** Whether a body without a comment is refused. */
  readonly requiresComment?: boolean | undefined;
  /** The schema that the new state must fit. */
  readonly schema?: ActiveSchema | undefined;
}

/** Members of a body that are read besides its document: texts of at most this many characters and one more, numbers, null. */
export interface SmallMembers {
  readonly names: readonly string[];
  readonly charactersMax: number;
}

/** The body of a PUT, or another body with a document `state`. */
export interface ReplacementRequest extends BodyRequest {
  readonly kind: 'replacement';
  readonly reads?: SmallMembers | undefined;
  /** The state before, for a player's write; null if there was none. Left out: the rules of change do not apply. */
  readonly beforeText?: string | null | undefined;
}

/** The body of a PATCH, and the state that it changes. */
export interface PatchRequest extends BodyRequest {
  readonly kind: 'patch';
  /** The state to patch, as stored; null if there is none. Not used if the precondition does not hold. */
  readonly currentText: string | null;
  /** Whether the precondition of the write holds. */
  readonly isSatisfied: boolean;
  /** Whether the state to patch is known to fit the schema. */
  readonly fits?: boolean | undefined;
}

export type EvaluationRequest = ReplacementRequest | PatchRequest;

/** The result of a body: the first ordered check that it fails, or the state to write. */
export type Evaluation =
  | {
      readonly kind: 'state';
      readonly stateText: string;
      readonly comment: string | null;
      /** The members named by `reads` that are text, number or null. */
      readonly members?: Readonly<Record<string, string | number | null>> | undefined;
      /** The edits of a patch to the current text, if it did not print the whole text. */
      readonly edits?: readonly TextEdit[] | undefined;
      /** Known ends of values in the new text, if those in the current one were known. */
      readonly ends?: ValueEnds | undefined;
      /** The violations of a schema that only reports. */
      readonly reportedViolations?: readonly Violation[] | undefined;
    }
  /** The new state would have this many characters, which is too many. */
  | { readonly kind: 'too_large'; readonly characters: number }
  /** The new state does not fit the schema. */
  | { readonly kind: 'schema_violation'; readonly violations: readonly Violation[] }
  /** The body has no fault that can be found without applying it, but the precondition does not hold. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

/** Levels of a body around its document: the body itself; for a patch also the list and the operation. */
const replacementEnvelopeDepth = 1;
const patchEnvelopeDepth = 3;

/**
 * Evaluates a body. Refuses `validation_error` and, for a patch, the codes of JSON Patch; `conflict` comes after the
 * faults of the body itself and before those of applying it.
 */
export function evaluate(request: EvaluationRequest): Evaluation {
  return request.kind === 'replacement' ? evaluateReplacement(request) : evaluatePatch(request);
}

/**
 * Does the same as {@link evaluate}, but returns `undefined` for a patch that would take more than about 20 ms to apply, and for a schema
 * that is not known on this thread or would take more than a few. `ends` are the known ends of values in the text that a patch changes.
 */
export function evaluateQuickly(request: EvaluationRequest, ends?: ValueEnds): Evaluation | undefined {
  if (request.schema !== undefined && !isKnownHere(request.schema)) return undefined;
  return request.kind === 'replacement' ? evaluateReplacement(request, true) : evaluatePatch(request, isQuickPatch, ends);
}

function evaluateReplacement(request: ReplacementRequest): Evaluation;
function evaluateReplacement(request: ReplacementRequest, isQuick: boolean): Evaluation | undefined;
function evaluateReplacement(
  { body, requiresComment, schema, beforeText, reads }: ReplacementRequest,
  isQuick = false,
): Evaluation | undefined {
  return orRefusal(() => {
    const value = parseBody(body, replacementEnvelopeDepth);
    const { stateText, document, comment } = readReplacement(value, requiresComment);
    const evaluation = sized(stateText, comment);
    const known = reads === undefined ? evaluation : { ...evaluation, members: readSmall(value, reads) };
    return validated(known, schema, { text: stateText, document, beforeText }, isQuick);
  });
}

/** A longer string is cut, so a thread does not send more than is read; it is still too long. */
function readSmall(
  body: JsonValue,
  { names, charactersMax }: SmallMembers,
): Readonly<Record<string, string | number | null>> {
  const members = isJsonObject(body) ? body : {};
  const found: [string, string | number | null][] = [];
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'string') found.push([name, value.slice(0, charactersMax + 1)]);
    else if (typeof value === 'number' || value === null) found.push([name, value]);
  }
  return Object.fromEntries(found);
}

/** The evaluation with the result of validation. Undefined if that would take too long here. */
function validated(
  evaluation: Evaluation,
  schema: ActiveSchema | undefined,
  document: Candidate,
  isQuick: boolean,
): Evaluation | undefined {
  if (schema === undefined || evaluation.kind !== 'state') return evaluation;
  const violations = violationsOf(schema, document, isQuick);
  return violations && applyMode(evaluation, schema, violations);
}

function applyMode(
  evaluation: Extract<Evaluation, { kind: 'state' }>,
  { mode }: ActiveSchema,
  violations: readonly Violation[],
): Evaluation {
  if (violations.length === 0) return evaluation;
  return mode === 'enforce' ? { kind: 'schema_violation', violations } : { ...evaluation, reportedViolations: violations };
}

function evaluatePatch(request: PatchRequest): Evaluation;
function evaluatePatch(
  request: PatchRequest,
  isAcceptable: typeof isQuickPatch,
  ends: ValueEnds | undefined,
): Evaluation | undefined;
function evaluatePatch(
  { body, requiresComment, currentText, isSatisfied, schema, fits = false }: PatchRequest,
  isAcceptable?: typeof isQuickPatch,
  ends?: ValueEnds,
): Evaluation | undefined {
  return orRefusal(() => {
    const { operations, comment } = readPatch(parseBody(body, patchEnvelopeDepth), requiresComment);
    if (!isSatisfied) return { kind: 'conflict' };
    const text = currentText ?? '{}';
    if (isAcceptable?.(text, operations) === false) return undefined;
    const patched = patchText(text, operations, ends);
    if (patched.kind === 'failure') return { kind: 'refused', code: patched.code, message: patched.message };
    const evaluation = sized(patched.text, comment, patched.edits);
    const known = ends === undefined ? evaluation : { ...evaluation, ends: patched.ends };
    if (schema === undefined || known.kind !== 'state') return known;
    const isQuick = isAcceptable !== undefined;
    const touched = fits ? touchedValues(operations, patched.edits, text, holdsRules(schema)) : undefined;
    const violations = touched && violationsOfTouched(schema, touched, isQuick);
    if (violations !== undefined) return applyMode(known, schema, violations);
    const beforeText = schema.byPlayer ? currentText : undefined;
    const document = patchedDocument(text, patched.text, operations);
    return validated(known, schema, { text: patched.text, document, beforeText }, isQuick);
  });
}

/** The patched document, made from that of the current text if both are short: nothing is parsed then. */
function patchedDocument(text: string, patchedText: string, operations: readonly PatchOperation[]): JsonObject | undefined {
  if (text.length > validatedHereCharactersMax) return undefined;
  const result = applyOperations(documentOf(text), operations);
  if (result.kind === 'patched') rememberDocument(patchedText, result.document);
  return result.kind === 'patched' ? result.document : undefined;
}

function sized(stateText: string, comment: string | null, edits?: readonly TextEdit[]): Evaluation {
  const characters = stateText.length;
  return characters > stateCharactersMax ? { kind: 'too_large', characters } : { kind: 'state', stateText, comment, edits };
}

/** The value of a body whose documents begin under `envelopeDepth` levels. Refuses `validation_error`. */
function parseBody(body: Uint8Array, envelopeDepth: number): JsonValue {
  const text = decodeUtf8(body);
  if (text === undefined) throw new Refusal('validation_error', 'the body is not valid UTF-8');
  try {
    return parseJson(text, nestingDepthMax + envelopeDepth);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const fault =
      error.reason === 'depth'
        ? `a document in it is nested deeper than ${nestingDepthMax} levels at position ${error.position}`
        : error.message;
    throw new Refusal('validation_error', `the body is refused: ${fault}`);
  }
}

/** Returns the result of `work`, or the refusal that it throws. */
function orRefusal<Result>(work: () => Result): Result | Extract<Evaluation, { kind: 'refused' }> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
}

interface Replacement {
  readonly stateText: string;
  readonly document: JsonObject;
  readonly comment: string | null;
}

interface Patch {
  readonly operations: readonly PatchOperation[];
  readonly comment: string | null;
}

/** The document and comment of a PUT body; unknown members are ignored. Refuses `validation_error`. */
function readReplacement(body: unknown, requiresComment: boolean | undefined): Replacement {
  const members = readObject(body, 'state');
  if (!Object.hasOwn(members, 'state')) throw new Refusal('validation_error', 'body: "state" is missing');
  const { state } = members;
  if (!isJsonObject(state)) throw new Refusal('validation_error', 'body: "state" must be a JSON object');
  return { comment: readComment(members, requiresComment), stateText: printJson(state), document: state };
}

/** The operations and comment of a PATCH body. Refuses `validation_error` and the static codes of JSON Patch. */
function readPatch(body: unknown, requiresComment: boolean | undefined): Patch {
  const members = readObject(body, 'ops');
  const comment = readComment(members, requiresComment);
  const operations = readOperations(Object.hasOwn(members, 'ops') ? members.ops : undefined);
  if ('kind' in operations) throw new Refusal(operations.code, operations.message);
  return { operations, comment };
}

function readObject(body: unknown, member: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(body)) return body;
  throw new Refusal('validation_error', `the body must be a JSON object with a member "${member}"`);
}

function readComment(members: Readonly<Record<string, unknown>>, isDemanded = false): string | null {
  const comment = Object.hasOwn(members, 'comment') ? members.comment : null;
  if (comment === null || (typeof comment === 'string' && comment.length <= commentCharactersMax)) {
    if (isDemanded && isBlank(comment ?? '')) {
      throw new Refusal(
        'validation_error',
        'body: "comment" must say what the change is for: the environment is protected',
      );
    }
    return comment;
  }
  const rule = `must be a string of at most ${commentCharactersMax} characters, or null`;
  throw new Refusal('validation_error', `body: "comment" ${rule}`);
}
