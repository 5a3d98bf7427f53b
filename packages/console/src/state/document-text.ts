/** What a text is as a document: its value and size, or where and why it is none. */
import { nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import { isJsonObject, type JsonObject, JsonTextError, parseJson, printJson } from '@holdfast/json';
import { faultOf, type JsonFault, lineAt } from './json-fault.ts';

export type DocumentText =
  | { readonly kind: 'document'; readonly value: JsonObject; readonly characters: number; readonly isTooLarge: boolean }
  | { readonly kind: 'fault'; readonly fault: JsonFault; readonly position: number };

/** Reads a text as the service would. */
export function readDocument(text: string): DocumentText {
  try {
    const value = parseJson(text, nestingDepthMax);
    if (!isJsonObject(value)) {
      const position = Math.max(0, text.search(/\S/));
      return { kind: 'fault', fault: { kind: 'notObject', line: lineAt(text, position), text: '' }, position };
    }
    const characters = printJson(value).length;
    return { kind: 'document', value, characters, isTooLarge: characters > stateCharactersMax };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const position = Math.min(error.position, text.length);
    const isDeep = error.reason === 'depth';
    const fault = isDeep ? ({ kind: 'depth', line: lineAt(text, position), text: '' } as const) : faultOf(text, position);
    return { kind: 'fault', fault, position };
  }
}
