/** Bodies that a thread reads as a whole. */
import { isJsonObject, type JsonObject } from '@holdfast/json';
import { bodyText, parseBody } from '../../common/requests/json-body.ts';
import { Refusal } from '../../common/requests/refusal.ts';

/** Nesting levels around a document in a patch: the body, the list and the operation. */
export const patchEnvelopeDepth = 3;

/** Returns the members of a body. Refuses `validation_error`. */
export function membersOf(body: Uint8Array): JsonObject {
  const value = parseBody(bodyText(body), patchEnvelopeDepth);
  if (isJsonObject(value)) return value;
  throw invalid('it must be a JSON object');
}

/** The refusal of a body. */
export const invalid = (fault: string): Refusal => new Refusal('validation_error', `body: ${fault}`);
