/** The operations of a JSON Patch. @see RFC 6902 */

import { isPointer } from './pointer.ts';
import { quote } from './quote.ts';
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
