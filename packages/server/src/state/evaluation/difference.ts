/**
 * The operations between two documents, as text. Pure: it runs on the main thread for small documents, otherwise on an evaluation thread.
 */
import { diff, parseDocument, printJson } from '@holdfast/json';

/** Longer operations are omitted, and the client must read the document again. */
const operationsCharactersMax = 16_384;

export interface DifferenceRequest {
  readonly kind: 'difference';
  readonly fromText: string;
  readonly toText: string;
}

export interface Difference {
  readonly kind: 'difference';
  /** Undefined if the operations exceed the limit. */
  readonly operations: string | undefined;
}

/** Returns the operations that turn one stored document into another. */
export function differenceOf({ fromText, toText }: DifferenceRequest): Difference {
  // Operations contain the added text, so a document that is longer by this much needs too many characters.
  if (toText.length - fromText.length > operationsCharactersMax) return { kind: 'difference', operations: undefined };
  const operations = printJson(diff(parseDocument(fromText), parseDocument(toText)));
  return { kind: 'difference', operations: operations.length > operationsCharactersMax ? undefined : operations };
}
