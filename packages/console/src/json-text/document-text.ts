/** A text as a document: its value and size, or its fault and the fault's position. */
import { nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import { isJsonObject, type JsonObject, JsonTextError, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { faultOf, type JsonFault, lineAt } from './json-fault.ts';

export type DocumentText<Value extends JsonValue = JsonObject> =
  | { readonly kind: 'document'; readonly value: Value; readonly characters: number; readonly isTooLarge: boolean }
  | { readonly kind: 'fault'; readonly fault: JsonFault; readonly position: number };

/** A fault in a document. */
export interface Finding {
  /** JSON Pointer to it. */
  readonly path: string;
  readonly message: string;
  /** The feature flag that has it; undefined for a violation of the schema. */
  readonly flag?: string;
  /** Whether the service refuses it. */
  readonly severity: 'error' | 'warning';
}

/** Parses a text like the service parses a document. */
export const readDocument = (text: string): DocumentText<JsonObject> => read(text, isJsonObject);

/** Parses a text as a document, or as any JSON. */
export const readText = (text: string, isAnyJson: boolean): DocumentText<JsonValue> =>
  isAnyJson ? read(text, (value): value is JsonValue => value !== undefined) : readDocument(text);

/** A document that is known to be one. */
export function documentOf<Value extends JsonValue>(value: Value): DocumentText<Value> {
  const characters = printJson(value).length;
  return { kind: 'document', value, characters, isTooLarge: characters > stateCharactersMax };
}

function read<Value extends JsonValue>(text: string, isGood: (value: JsonValue) => value is Value): DocumentText<Value> {
  try {
    const value = parseJson(text, nestingDepthMax);
    if (!isGood(value)) {
      const position = Math.max(0, text.search(/\S/));
      return { kind: 'fault', fault: { kind: 'notObject', line: lineAt(text, position), text: '' }, position };
    }
    return documentOf(value);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const position = Math.min(error.position, text.length);
    const isDeep = error.reason === 'depth';
    const fault: JsonFault = isDeep ? { kind: 'depth', line: lineAt(text, position), text: '' } : faultOf(text, position);
    return { kind: 'fault', fault, position: fault.at ?? position };
  }
}
