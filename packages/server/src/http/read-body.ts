/** From the bytes of a body to what an operation reads. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formBytesMax, nestingDepthMax } from '@holdfast/contract';
import { Refusal } from '../access/refusal.ts';
import { decodeUtf8, JsonTextError, parseJson } from '../state/json-text.ts';
import type { BodyReader } from './body.ts';
import { checkMediaType } from './message.ts';

/** A request whose body is still to come. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue`; no longer, once it was told to go on. */
  awaitsContinue: boolean;
}

/**
 * The JSON value of a body. Refuses `validation_error` for what is no JSON in UTF-8 or nested too deep (`envelopeDepth` levels
 * more than a document may be), and what `BodyReader` refuses.
 */
export async function readJson(
  incoming: Incoming,
  bodies: BodyReader,
  bytesMax: number,
  envelopeDepth: number,
): Promise<unknown> {
  const text = await readText(incoming, bodies, bytesMax);
  try {
    return parseJson(text, nestingDepthMax + envelopeDepth);
  } catch (error) {
    if (error instanceof JsonTextError) throw new Refusal('validation_error', `the body is refused: ${error.message}`);
    throw error;
  }
}

/** The text of a form, undecoded. Refuses another media type, what is no UTF-8, and what `BodyReader` refuses. */
export async function readForm(incoming: Incoming, bodies: BodyReader): Promise<string> {
  checkMediaType(incoming.request.headers, 'application/x-www-form-urlencoded');
  return readText(incoming, bodies, formBytesMax);
}

async function readText(incoming: Incoming, bodies: BodyReader, bytesMax: number): Promise<string> {
  if (incoming.awaitsContinue) {
    const declared = Number(incoming.request.headers['content-length'] ?? 0);
    if (declared <= bytesMax) {
      incoming.response.writeContinue();
      incoming.awaitsContinue = false;
    }
  }
  const text = decodeUtf8(await bodies.read(incoming.request, bytesMax));
  if (text === undefined) throw new Refusal('validation_error', 'the body is not valid UTF-8');
  return text;
}
