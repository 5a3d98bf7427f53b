/**
 * Turns the body of a state write into the text of the new state. Pure, and the most expensive part of a write. It runs on the main thread
 * for small bodies and on an evaluation thread for large ones, so its input and output are plain data.
 *
 * @see docs/contract.md §4.5 and §4.7
 */
import { stateCharactersMax } from '@holdfast/contract';
import {
  applyOperations,
  isJsonObject,
  isQuickPatch,
  type JsonObject,
  type PatchOperation,
  patchText,
  printJson,
  readOperations,
  type TextEdit,
  type ValueEnds,
} from '@holdfast/json';
import { bodyText, parseBody } from '../../common/requests/json-body.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Violation } from '../../schemas/run.ts';
import type { ActiveSchema } from './active-schema.ts';
import { patchEnvelopeDepth } from './body-members.ts';
import { readComment } from './comment.ts';
import {
  type Candidate,
  documentOf,
  holdsRules,
  isKnownHere,
  rememberDocument,
  validatedHereCharactersMax,
  violationsOf,
  violationsOfTouched,
} from './document-validation.ts';
import { smallChange } from './small-change.ts';
import { readSmall, type SmallMembers } from './small-members.ts';
import { orRefused, type Refused } from './thread-refusal.ts';
import { touchedValues } from './touched-values.ts';

/** A body as received. */
interface BodyRequest {
  readonly body: Uint8Array;
  /** Whether a comment is required. */
  readonly requiresComment?: boolean | undefined;
  /** The schema that the new state must fit. */
  readonly schema?: ActiveSchema | undefined;
}

/** The body of a PUT, or another body with a document in `state`. */
interface ReplacementRequest extends BodyRequest {
  readonly kind: 'replacement';
  readonly reads?: SmallMembers | undefined;
  /** The previous state, for a player's write; null if there was none. If undefined, the rules of change do not apply. */
  readonly beforeText?: string | null | undefined;
  /** A stored state that the new one may differ from in one value, which is seen without parsing it. */
  readonly currentText?: string | undefined;
}

/** The body of a PATCH, and the state that it changes. */
interface PatchRequest extends BodyRequest {
  readonly kind: 'patch';
  /** The stored state to patch; null if there is none. Not used if the precondition fails. */
  readonly currentText: string | null;
  /** Whether the write's precondition holds. */
  readonly isSatisfied: boolean;
  /** Whether the state to patch is known to fit the schema. */
  readonly fits?: boolean | undefined;
}

export type EvaluationRequest = ReplacementRequest | PatchRequest;

/** The result of an evaluation: the first ordered check that fails, or the state to write. */
export type Evaluation =
  | {
      readonly kind: 'state';
      readonly stateText: string;
      readonly comment: string | null;
      /** Members listed in `reads` whose values are strings, numbers or null. */
      readonly members?: Readonly<Record<string, string | number | null>> | undefined;
      /** A patch's edits to the current text, unless the patch printed the whole text. */
      readonly edits?: readonly TextEdit[] | undefined;
      /** Known ends of values in the new text, if those in the current text were known. */
      readonly ends?: ValueEnds | undefined;
      /** The violations, if the schema only reports them. */
      readonly reportedViolations?: readonly Violation[] | undefined;
    }
  /** The new state would have this many characters, which is over the limit. */
  | { readonly kind: 'too_large'; readonly characters: number }
  /** The new state does not fit the schema. */
  | { readonly kind: 'schema_violation'; readonly violations: readonly Violation[] }
  /** The body is valid as far as can be checked without applying it, but the precondition fails. */
  | { readonly kind: 'conflict' }
  | Refused;

/** Nesting levels around the document: the body itself. */
const replacementEnvelopeDepth = 1;

/**
 * Evaluates a body. Refuses `validation_error` and, for a patch, the codes of JSON Patch. A `conflict` takes precedence over faults in
 * applying the body, but not over faults of the body itself.
 */
export function evaluate(request: EvaluationRequest): Evaluation {
  const evaluation = evaluateBody(request, false);
  if (evaluation === undefined) throw new TypeError('this thread cannot compile the schema');
  return evaluation;
}

/**
 * Like {@link evaluate}, but returns `undefined` if a patch would take more than about 20 ms to apply, if this thread does not know the
 * schema, or if validation would take more than a few milliseconds. `ends` are the known ends of values in the text that a patch changes.
 */
export function evaluateQuickly(request: EvaluationRequest, ends?: ValueEnds): Evaluation | undefined {
  if (request.schema !== undefined && !isKnownHere(request.schema)) return undefined;
  return evaluateBody(request, true, ends);
}

function evaluateBody(request: EvaluationRequest, isQuick: boolean, ends?: ValueEnds): Evaluation | undefined {
  return orRefused(() =>
    request.kind === 'replacement' ? evaluateReplacement(request, isQuick) : evaluatePatch(request, isQuick, ends),
  );
}

function evaluateReplacement(request: ReplacementRequest, isQuick: boolean): Evaluation | undefined {
  const { body, requiresComment, schema, beforeText, reads } = request;
  const text = bodyText(body);
  const change = changed(text, request);
  if (change !== undefined) return change;
  const value = parseBody(text, replacementEnvelopeDepth);
  const { stateText, document, comment } = readReplacement(value, requiresComment);
  const evaluation = sized(stateText, comment);
  const known = reads === undefined ? evaluation : { ...evaluation, members: readSmall(value, reads) };
  return validated(known, schema, { text: stateText, document, beforeText }, isQuick);
}

/** Evaluates a long body in some 2 ms at most if it changes one value of the current document; undefined for others. */
export function evaluateSmallChange(request: EvaluationRequest): Evaluation | undefined {
  return request.kind === 'replacement' ? orRefused(() => changed(bodyText(request.body), request)) : undefined;
}

function changed(text: string, request: ReplacementRequest): Evaluation | undefined {
  const change = smallChange(text, request);
  return change && sized(change.stateText, null, [change.edit]);
}

/** Validates the new state of an evaluation. Returns undefined if that would take too long here. */
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

function evaluatePatch(
  { body, requiresComment, currentText, isSatisfied, schema, fits = false }: PatchRequest,
  isQuick: boolean,
  ends: ValueEnds | undefined,
): Evaluation | undefined {
  const { operations, comment } = readPatch(parseBody(bodyText(body), patchEnvelopeDepth), requiresComment);
  if (!isSatisfied) return { kind: 'conflict' };
  const text = currentText ?? '{}';
  if (isQuick && !isQuickPatch(text, operations)) return undefined;
  const patched = patchText(text, operations, ends);
  if (patched.kind === 'failure') throw new Refusal(patched.code, patched.message);
  const evaluation = sized(patched.text, comment, patched.edits);
  const known = ends === undefined ? evaluation : { ...evaluation, ends: patched.ends };
  if (schema === undefined || known.kind !== 'state') return known;
  const touched = fits ? touchedValues(operations, patched.edits, text, holdsRules(schema)) : undefined;
  const violations = touched && violationsOfTouched(schema, touched, isQuick);
  if (violations !== undefined) return applyMode(known, schema, violations);
  const beforeText = schema.byPlayer ? currentText : undefined;
  const document = patchedDocument(text, patched.text, operations);
  return validated(known, schema, { text: patched.text, document, beforeText }, isQuick);
}

/** The patched document. If both texts are short, it is made from the current document without parsing. */
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

interface Replacement {
  readonly stateText: string;
  readonly document: JsonObject;
  readonly comment: string | null;
}

interface Patch {
  readonly operations: readonly PatchOperation[];
  readonly comment: string | null;
}

/** The document and comment of a PUT body. Ignores unknown members. Refuses `validation_error`. */
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
