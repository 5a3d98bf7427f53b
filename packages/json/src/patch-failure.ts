/**
 * The refusals of applying an operation, shared by all implementations so that they refuse alike. `start` is the offset in the path of the
 * faulty segment, so the text before it is the pointer of its container.
 */

import { endOfSegment, isIndex, quoteSegment } from './pointer.ts';
import { quote } from './quote.ts';
import type { PatchApplicationCode, PatchFailure } from './read-operations.ts';

/** Thrown to refuse a patch while its operations are applied. */
export type ApplicationFailure = PatchFailure<PatchApplicationCode>;

/** `patch_path_not_found`: the object has no member named by the segment at `start`. */
export function noSuchMember(operation: number, path: string, start: number): ApplicationFailure {
  const fault = `${place(path, start)} has no member ${segmentFrom(path, start)}`;
  return refuse('patch_path_not_found', operation, fault);
}

/** `patch_path_untraversable`: the value before the segment at `start` is a scalar, which contains nothing. */
export function untraversable(operation: number, path: string, start: number): ApplicationFailure {
  const fault = `${place(path, start)} is neither an object nor an array`;
  return refuse('patch_path_untraversable', operation, fault);
}

/** `patch_invalid_array_index`: the segment at `start` is not a valid index for the operation in `length` elements. */
export function badIndex(operation: number, path: string, start: number, length: number): ApplicationFailure {
  const segment = path.slice(start, endOfSegment(path, start)); // an index has no escapes
  const fault = isIndex(segment)
    ? `index ${segment.length > 20 ? quote(segment) : segment} is out of range, ${place(path, start)} has length ${length}`
    : `${place(path, start)} is an array and ${segmentFrom(path, start)} is not a valid index`;
  return refuse('patch_invalid_array_index', operation, fault);
}

/** `patch_invalid_state_root`: the operation needs a value below the root, and the root is not an object. */
export function rootNotObject(operation: number): ApplicationFailure {
  return refuse('patch_invalid_state_root', operation, 'the root is not an object');
}

/** `patch_invalid_state_root`: `operation`, the last one, leaves a root that is not an object. */
export function resultNotObject(operation: number): ApplicationFailure {
  return refuse('patch_invalid_state_root', operation, 'the resulting root is not an object');
}

/** `validation_error`: the result is nested deeper than `nestingDepthMax`. No single operation is named. */
export function resultTooDeep(nestingDepthMax: number): ApplicationFailure {
  const message = `cannot apply the patch: the result is nested deeper than ${nestingDepthMax} levels`;
  return { kind: 'failure', code: 'validation_error', operation: null, message };
}

function segmentFrom(path: string, start: number): string {
  return quoteSegment(path, start, endOfSegment(path, start));
}

function place(path: string, start: number): string {
  return start === 1 ? 'the root' : quote(path.slice(0, start - 1));
}

function refuse(code: PatchApplicationCode, operation: number, fault: string): ApplicationFailure {
  return { kind: 'failure', code, operation, message: `cannot apply operation ${operation}: ${fault}` };
}
