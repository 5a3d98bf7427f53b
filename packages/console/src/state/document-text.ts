/** What a text is as a document: its value and size, or where and why it is none. */
import { nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import { isJsonObject, type JsonObject, JsonTextError, parseJson, printJson } from '@holdfast/json';

export type DocumentText =
  | { readonly kind: 'document'; readonly value: JsonObject; readonly characters: number; readonly isTooLarge: boolean }
  | { readonly kind: 'fault'; readonly reason: 'syntax' | 'depth' | 'not_object'; readonly position: number };

/** Reads a text as the service would. */
export function readDocument(text: string): DocumentText {
  try {
    const value = parseJson(text, nestingDepthMax);
    if (!isJsonObject(value)) return { kind: 'fault', reason: 'not_object', position: Math.max(0, text.search(/\S/)) };
    const characters = printJson(value).length;
    return { kind: 'document', value, characters, isTooLarge: characters > stateCharactersMax };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { kind: 'fault', reason: error.reason, position: Math.min(error.position, text.length) };
  }
}
