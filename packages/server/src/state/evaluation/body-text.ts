/** Bodies that a thread reads as a whole. */
import { nestingDepthMax } from '@holdfast/contract';
import { decodeUtf8, isJsonObject, type JsonObject, JsonTextError, parseJson } from '@holdfast/json';
import { Refusal } from '../../common/refusal.ts';

/** Nesting levels of a body, a list and an operation around a document. */
export const envelopeDepth = 3;

/** Returns the members of a body. Refuses `validation_error`. */
export function membersOf(body: Uint8Array): JsonObject {
  const text = decodeUtf8(body);
  if (text === undefined) throw invalid('it is not valid UTF-8');
  try {
    const value = parseJson(text, nestingDepthMax + envelopeDepth);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw invalid(error.message);
  }
  throw invalid('it must be a JSON object');
}

/** The refusal of a body. */
export const invalid = (fault: string): Refusal => new Refusal('validation_error', `body: ${fault}`);
