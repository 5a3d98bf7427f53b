/** Request bodies as text and as JSON. */
import { nestingDepthMax } from '@holdfast/contract';
import { decodeUtf8, JsonTextError, type JsonValue, parseJson } from '@holdfast/json';
import { Refusal } from './refusal.ts';

/** Returns a body's text. Refuses `validation_error` unless it is UTF-8. */
export function bodyText(body: Uint8Array): string {
  const text = decodeUtf8(body);
  if (text === undefined) throw new Refusal('validation_error', 'the body is not valid UTF-8');
  return text;
}

/**
 * Parses a body. With `envelopeDepth`, its documents are nested so many levels deep in it, and may themselves have the levels of a document.
 * Refuses `validation_error`.
 */
export function parseBody(text: string, envelopeDepth?: number): JsonValue {
  try {
    return parseJson(text, envelopeDepth === undefined ? undefined : nestingDepthMax + envelopeDepth);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const fault =
      error.reason === 'depth' && envelopeDepth !== undefined
        ? `a document in it is nested deeper than ${nestingDepthMax} levels at position ${error.position}`
        : error.message;
    throw new Refusal('validation_error', `the body is refused: ${fault}`);
  }
}
