/**
 * From the body of a state write to the text of the new state: pure, and the dear part of a write. It runs on the main thread
 * for small bodies and on a thread of its own for large ones, so what goes in and comes out is plain data.
 *
 * @see docs/contract.md §4.5 and §4.7
 */
import { type ErrorCode, nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import { isQuickPatch, JsonTextError, type JsonValue, parseJson, patchText } from '@holdfast/json';
import { Refusal } from '../access/refusal.ts';
import { decodeUtf8 } from './utf8.ts';
import { readPatch, readReplacement } from './write-body.ts';

/** The body of a PUT as it came over the wire. */
export interface ReplacementRequest {
  readonly kind: 'replacement';
  readonly body: Uint8Array;
}

/** The body of a PATCH as it came over the wire, with what it meets. */
export interface PatchRequest {
  readonly kind: 'patch';
  readonly body: Uint8Array;
  /** The state that is patched, as stored; null when there is none. Not looked at when the precondition does not hold. */
  readonly currentText: string | null;
  /** Whether the precondition of the write holds. */
  readonly isSatisfied: boolean;
}

export type EvaluationRequest = ReplacementRequest | PatchRequest;

/** What a body comes to: the first of the ordered checks that it fails, or the state to write. */
export type Evaluation =
  | { readonly kind: 'state'; readonly stateText: string; readonly comment: string | null }
  /** The new state would take this many characters, more than are stored. */
  | { readonly kind: 'too_large'; readonly characters: number }
  /** The body is sound as far as can be said without applying it, and the precondition does not hold. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string };

/** Levels of the bodies around the document: the body itself; for a patch also the list and the operation. */
const replacementEnvelopeDepth = 1;
const patchEnvelopeDepth = 3;

/**
 * Evaluates a body. Refuses `validation_error` and, for a patch, the codes of JSON Patch; `conflict` stands between those that
 * a body earns by itself and those that applying it earns.
 */
export function evaluate(request: EvaluationRequest): Evaluation {
  return request.kind === 'replacement' ? evaluateReplacement(request) : evaluatePatch(request);
}

/** Does what {@link evaluate} does, but returns `undefined` for a patch whose application takes more than some 20 ms. */
export function evaluateQuickly(request: EvaluationRequest): Evaluation | undefined {
  return request.kind === 'replacement' ? evaluateReplacement(request) : evaluatePatch(request, isQuickPatch);
}

function evaluateReplacement({ body }: ReplacementRequest): Evaluation {
  return orRefusal(() => {
    const { stateText, comment } = readReplacement(parseBody(body, replacementEnvelopeDepth));
    return sized(stateText, comment);
  });
}

function evaluatePatch(request: PatchRequest): Evaluation;
function evaluatePatch(request: PatchRequest, isAcceptable: typeof isQuickPatch): Evaluation | undefined;
function evaluatePatch(
  { body, currentText, isSatisfied }: PatchRequest,
  isAcceptable: typeof isQuickPatch = () => true,
): Evaluation | undefined {
  return orRefusal(() => {
    const { operations, comment } = readPatch(parseBody(body, patchEnvelopeDepth));
    if (!isSatisfied) return { kind: 'conflict' };
    const text = currentText ?? '{}';
    if (!isAcceptable(text, operations)) return undefined;
    const patched = patchText(text, operations);
    if (patched.kind === 'failure') return { kind: 'refused', code: patched.code, message: patched.message };
    return sized(patched.text, comment);
  });
}

function sized(stateText: string, comment: string | null): Evaluation {
  const characters = stateText.length;
  return characters > stateCharactersMax ? { kind: 'too_large', characters } : { kind: 'state', stateText, comment };
}

/** The value of a body whose documents begin below `envelopeDepth` levels of its own. Refuses `validation_error`. */
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

/** The result of `work`, a refusal that it throws included. */
function orRefusal<Result>(work: () => Result): Result | Extract<Evaluation, { kind: 'refused' }> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
}
