/**
 * Exact JSON: text to values and back without losing a digit, JSON Pointer, JSON Patch on values and on texts, and the
 * patch between two documents, and merges. No dependencies and no I/O; it runs in Node and in browsers.
 *
 * - `text.ts` says what a value is, and reads and prints it. Behind it: `scan.ts` (finds places in a text without parsing
 *   it),
 *   `number.ts` (does a double hold this literal) and `syntax-fault.ts` (where a text stops being JSON).
 * - `read-operations.ts` checks the structure of a patch, `pointer.ts` walks JSON Pointers, `patch.ts` applies a patch to a value,
 *   `splice.ts` to a text; `patch-failure.ts` holds what both refuse, `quote.ts` shows texts in messages, `chunked-list.ts` makes many changes of a long array cheap.
 * - `changed-value.ts` finds the one value in which two texts differ.
 * - `diff.ts` finds a short patch from one document to another. `merge.ts` merges two documents with a common origin (`identity.ts` tells
 *   the objects of a list apart).
 *
 * Values are never changed in place: a result shares what did not change with what it came from.
 */

/** Finds what differs between two texts, and whether that is the value of one member. */
export { changedValue, commonEnding, commonStart } from './changed-value.ts';
/** Finds the operations from one document to another, and whether two values are equal. */
export { diff, isSame } from './diff.ts';
/** Tells apart the objects of a list. */
export { identityOf, joinOrders } from './identity.ts';
/** Merges two documents with a common origin. */
export { conflictName, type Merge, type MergeConflict, type MergeSide, merge3 } from './merge.ts';
/** The value of a number literal, digit for digit. */
export { type Decimal, decimalOf } from './number.ts';
/** Applies operations to a value. */
export { applyOperations, type PatchResult } from './patch.ts';

export { pathOfPointer, pointerOf } from './pointer.ts';
/** Cuts long texts for messages. */
export { shortened } from './quote.ts';
/** Reads the operations of a patch: `add`, `remove` and `replace` of RFC 6902. */
export {
  type PatchApplicationCode,
  type PatchFailure,
  type PatchOperation,
  type PatchStructureCode,
  readOperations,
} from './read-operations.ts';
/** Applies operations to the text of a document, without parsing it if that is cheaper. */
export { isQuickPatch, type PatchTextResult, patchText, spliceOperations, type TextEdit, ValueEnds } from './splice.ts';
/** Reads JSON with every number exact, and prints it back digit for digit. */
export {
  decodeUtf8,
  defaultNestingDepthMax,
  exceedsNestingDepth,
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  JsonTextError,
  type JsonValue,
  parseDocument,
  parseJson,
  printJson,
  type RawNumber,
} from './text.ts';
