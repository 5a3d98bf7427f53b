/**
 * The operations of a JSON Patch, and the JSON Pointers in their paths. A pointer is read segment by segment without splitting it first, so
 * only the visited part of a path costs time. A walk begins at offset 1 and continues after each slash; an empty pointer has no segments.
 *
 * @see RFC 6901, RFC 6902
 */
import { isJsonObject, type JsonObject, type JsonValue } from './text.ts';

/** One operation whose structure has been checked. Its path is a JSON Pointer. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/** The codes of {@link readOperations}. */
export type PatchStructureCode =
  | 'patch_invalid'
  | 'patch_unsupported_operation'
  | 'patch_invalid_path'
  | 'patch_missing_value';

/** The codes of applying operations. `validation_error` refuses a result that is nested too deep. */
export type PatchApplicationCode =
  | 'patch_path_not_found'
  | 'patch_path_untraversable'
  | 'patch_invalid_array_index'
  | 'patch_invalid_state_root'
  | 'validation_error';

/** The first fault of a patch, which refuses all of it. */
export interface PatchFailure<Code = PatchStructureCode | PatchApplicationCode> {
  readonly kind: 'failure';
  readonly code: Code;
  /** Index of the faulty operation; null if there is no single one. */
  readonly operation: number | null;
  /** For people. It may quote the patch, never the document. */
  readonly message: string;
}

/**
 * Returns the operations of a patch, checking their structure. Operations are checked in order; within each its `op`, then its `path`, then
 * its `value`, then that it does not remove the root. The first fault counts:
 *
 * - `patch_invalid`: the list is missing, empty or not an array (no operation is named), an operation is not an object, or it removes the
 * root;
 * - `patch_unsupported_operation`: `op` is not `add`, `remove` or `replace`;
 * - `patch_invalid_path`: `path` is missing, not a string, non-empty without a leading `/`, or has a stray `~`;
 * - `patch_missing_value`: `add` or `replace` without a `value` member; null is a value.
 *
 * Only own members of an operation count. Other members are ignored, so a `remove` may contain any `value`.
 *
 * @see docs/contract.md §4.6; RFC 6901 §3; RFC 6902 §4
 */
export function readOperations(ops: unknown): PatchOperation[] | PatchFailure<PatchStructureCode> {
  if (!Array.isArray(ops) || ops.length === 0) {
    const fault = ops === undefined ? 'is missing' : Array.isArray(ops) ? 'is empty' : 'is not an array';
    return { kind: 'failure', code: 'patch_invalid', operation: null, message: `cannot read the patch: "ops" ${fault}` };
  }
  const operations: PatchOperation[] = [];
  for (let index = 0; index < ops.length; index++) {
    const read = readOperation(ops[index], index);
    if ('kind' in read) return read;
    operations.push(read);
  }
  return operations;
}

function readOperation(candidate: unknown, index: number): PatchOperation | PatchFailure<PatchStructureCode> {
  if (!isJsonObject(candidate)) return refuse('patch_invalid', index, 'it is not an object');
  const op = ownMember(candidate, 'op');
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    return refuse('patch_unsupported_operation', index, `"op" ${opFault(op)}`);
  }
  const path = ownMember(candidate, 'path');
  if (typeof path !== 'string') {
    return refuse('patch_invalid_path', index, `"path" is ${path === undefined ? 'missing' : 'not a string'}`);
  }
  if (!isPointer(path)) return refuse('patch_invalid_path', index, pathFault(path));
  if (op === 'remove') return path === '' ? refuse('patch_invalid', index, 'the root cannot be removed') : { op, path };
  const value = ownMember(candidate, 'value');
  if (value === undefined) return refuse('patch_missing_value', index, `"${op}" needs a "value"`);
  return { op, path, value };
}

function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function opFault(op: JsonValue | undefined): string {
  if (op === undefined) return 'is missing';
  return typeof op === 'string' ? `is ${quote(op)}, not "add", "remove" or "replace"` : 'is not a string';
}

function pathFault(path: string): string {
  if (path[0] !== '/') return `"path" ${quote(path)} does not begin with "/"`;
  return `"path" ${quote(path)} has a "~" that is not "~0" or "~1"`;
}

function refuse(code: PatchStructureCode, operation: number, fault: string): PatchFailure<PatchStructureCode> {
  return { kind: 'failure', code, operation, message: `cannot read operation ${operation}: ${fault}` };
}

const quotedCharactersMax = 100;

/** Whether the text is a JSON Pointer: empty or starting with a slash, with every `~` followed by `0` or `1`. */
export function isPointer(text: string): boolean {
  return text === '' || (text[0] === '/' && !(text.includes('~') && /~(?![01])/.test(text)));
}

/** Returns the end of the segment that starts at `start`: the offset of the next slash, or the length of the pointer. */
export function endOfSegment(pointer: string, start: number): number {
  const slash = pointer.indexOf('/', start);
  return slash === -1 ? pointer.length : slash;
}

/** The segment between two offsets, unescaped. */
export function segmentAt(pointer: string, start: number, end: number): string {
  const segment = pointer.slice(start, end);
  // `~1` first, so that the `~` from `~01` is not mistaken for the start of another escape.
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

/** Returns the name escaped as a pointer segment. */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the array index in a segment if it is below `limit`, otherwise -1, also for `-`. @see RFC 6901 §4 */
export function indexBelow(limit: number, segment: string): number {
  if (!isIndex(segment)) return -1;
  const index = Number(segment);
  return index < limit ? index : -1;
}

/** Whether a segment has the form of an array index: digits, no leading zero. @see RFC 6901 §4 */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(segment);
}

/** Returns the segment between two offsets, unescaped, quoted, and shortened in the middle if long. */
export function quoteSegment(pointer: string, start: number, end: number): string {
  // At most two characters make one, so no more need unescaping for the shown part; half an escape is not shown.
  const shown = quotedCharactersMax * 2;
  if (end - start <= shown) return quote(segmentAt(pointer, start, end));
  const headEnd = start + shown / 2 - (pointer[start + shown / 2 - 1] === '~' ? 1 : 0);
  const tailStart = end - shown / 2 + (pointer[end - shown / 2 - 1] === '~' ? 1 : 0);
  return quoteEnds(segmentAt(pointer, start, headEnd), segmentAt(pointer, tailStart, end));
}

/** Returns a quoted text, with control characters escaped, shortened in the middle if long. */
export function quote(text: string): string {
  if (text.length <= quotedCharactersMax) return JSON.stringify(text);
  return quoteEnds(text, text);
}

function quoteEnds(head: string, tail: string): string {
  return JSON.stringify(`${head.slice(0, quotedCharactersMax / 2)}…${tail.slice(-quotedCharactersMax / 2)}`);
}
