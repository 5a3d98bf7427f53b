/**
 * Exact JSON: text to values and back without losing a digit, JSON Pointer, JSON Patch on values and on texts, and the patch
 * between two documents. No dependencies and no I/O; it runs in Node and in browsers.
 *
 * - `text.ts` reads and prints JSON; `value.ts` says what a value is. Behind them: `scan.ts` (finds its way in a text without
 *   parsing it), `number.ts` (does a double hold this literal), `exact-reader.ts` (the slower, exact reader) and
 *   `syntax-fault.ts` (where a text stops being JSON).
 * - `pointer.ts` walks JSON Pointers.
 * - `patch-operations.ts` checks the structure of a patch, `patch.ts` applies it to a value, `splice.ts` to a text;
 *   `patch-failure.ts` holds what both refuse, `chunked-list.ts` makes many changes of a long array cheap.
 * - `diff.ts` finds a short patch from one document to another.
 *
 * Values are never changed in place: a result shares what did not change with what it came from.
 */

/** Finds the operations that turn one document into another. */
export { diff } from './diff.ts';
/** Applies operations to a value. */
export { applyOperations, type PatchResult } from './patch.ts';
/** Reads the operations of a patch: `add`, `remove` and `replace` of RFC 6902. */
export {
  type PatchApplicationCode,
  type PatchFailure,
  type PatchOperation,
  type PatchStructureCode,
  readOperations,
} from './patch-operations.ts';
/** Applies operations to the text of a document, without parsing it where that is cheaper. */
export { isQuickPatch, type PatchTextResult, patchText, spliceOperations } from './splice.ts';
/** Reads JSON with every number exact, and prints it back digit for digit. */
export { JsonTextError, parseJson, printJson } from './text.ts';
/** What a value is, and how deep it may be nested. */
export {
  defaultNestingDepthMax,
  exceedsNestingDepth,
  isContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RawNumber,
} from './value.ts';
