/**
 * The operations between two documents, as text. Pure: it runs on the main thread for small documents, otherwise on an evaluation thread.
 */
import { diff, parseDocument, printJson } from '@holdfast/json';
import type { Change } from './events.ts';

/** Operations over this many characters are left out, and the document must be read again. */
const operationsCharactersMax = 16_384;

export interface DifferenceRequest {
  readonly kind: 'difference';
  readonly fromText: string;
  readonly toText: string;
}

export interface Difference {
  readonly kind: 'difference';
  /** Undefined: they exceed the limit. */
  readonly operations: string | undefined;
}

/** Finds the operations that lead from one stored document to another. */
export function differenceOf({ fromText, toText }: DifferenceRequest): Difference {
  // Added text is part of the operations: a document longer by this much cannot be reached with few characters.
  if (toText.length - fromText.length > operationsCharactersMax) return { kind: 'difference', operations: undefined };
  const operations = printJson(diff(parseDocument(fromText), parseDocument(toText)));
  return { kind: 'difference', operations: operations.length > operationsCharactersMax ? undefined : operations };
}

/** Returns the change with the JSON text of its operations; undefined: they are left out, and the client reads the document again. */
export function changeOf(from: number, version: number, operations: string | undefined): Change {
  const rest = operations === undefined ? '"refetch":true' : `"ops":${operations}`;
  return { type: 'change', version, data: `{"version":${version},"from":${from},${rest}}` };
}
