/**
 * The operations between two documents, as text. Pure: it runs on the main thread for small documents, otherwise on an evaluation
 * thread.
 */
import { diff, parseDocument, printJson } from '@holdfast/json';
import { operationsCharactersMax } from './changes/events.ts';

export interface DifferenceRequest {
  readonly kind: 'difference';
  readonly fromText: string;
  readonly toText: string;
}

export interface Difference {
  readonly kind: 'difference';
  /** Undefined: they are longer than the limit. */
  readonly operations: string | undefined;
}

/** Finds the operations that lead from one stored document to another. */
export function differenceOf({ fromText, toText }: DifferenceRequest): Difference {
  // Added text is part of the operations: a text that is so much longer cannot be reached with few characters.
  if (toText.length - fromText.length > operationsCharactersMax) return { kind: 'difference', operations: undefined };
  const operations = printJson(diff(parseDocument(fromText), parseDocument(toText)));
  return { kind: 'difference', operations: operations.length > operationsCharactersMax ? undefined : operations };
}
