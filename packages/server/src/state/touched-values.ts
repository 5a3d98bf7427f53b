/** The values that a patch has written into a document's text, for validating only them. */
import { type PatchOperation, parseJson, type TextEdit } from '@holdfast/json';
import type { Touched } from '../schemas/touched.ts';

/** Most operations that are compared with each other. */
const operationsMax = 8;

/**
 * Returns the values, each at its position in the new text; undefined if values are removed, or written into each other. `edits` are the
 * effects of the operations on `text`, one each. `withBefore` asks for the previous values too.
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
    // The first edit is one of this text.
    const before = withBefore && !isNew ? parseJson(text.slice(edit.start, edit.end)) : undefined;
    touched.push({ path: partsOf(operation.path), value: operation.value, before, isNew });
  }
  return touched;
}

/** Whether another operation writes the same position, or inside or around it. */
const isWithinOther = (operations: readonly PatchOperation[], index: number): boolean =>
  operations.some((other, at) => at !== index && `${operations[index]?.path}/`.startsWith(`${other.path}/`));

const partsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
