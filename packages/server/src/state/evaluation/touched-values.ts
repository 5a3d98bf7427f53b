/** Finds the values that a patch has written into a document's text, so that only those need validation. */
import { type PatchOperation, parseJson, pathOfPointer, type TextEdit } from '@holdfast/json';
import type { Touched } from '../../schemas/touched.ts';

/** The most operations for which positions are compared. */
const operationsMax = 8;

/**
 * Returns the values, each with its position in the new text; undefined if the patch removes values, or writes one value into another.
 * `edits` are the effects of the operations on `text`, one each. `withBefore` includes the previous values.
 */
export function touchedValues(
  operations: readonly PatchOperation[],
  edits: readonly TextEdit[] | undefined,
  text: string,
  withBefore: boolean,
): readonly Touched[] | undefined {
  if (edits === undefined || operations.length > operationsMax || (withBefore && operations.length > 1)) return undefined;
  const touched: Touched[] = [];
  for (const [index, operation] of operations.entries()) {
    const edit = edits[index];
    if (operation.op === 'remove' || edit === undefined || isWithinOther(operations, index)) return undefined;
    const isNew = edit.start === edit.end;
    // `withBefore` allows only one edit, so its positions refer to `text`.
    const before = withBefore && !isNew ? parseJson(text.slice(edit.start, edit.end)) : undefined;
    touched.push({ path: pathOfPointer(operation.path), value: operation.value, before, isNew });
  }
  return touched;
}

/** Whether another operation writes at the same position, inside it or around it. */
const isWithinOther = (operations: readonly PatchOperation[], index: number): boolean =>
  operations.some((other, at) => at !== index && `${operations[index]?.path}/`.startsWith(`${other.path}/`));
