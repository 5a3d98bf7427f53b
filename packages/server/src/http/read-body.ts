/** From the bytes of a body to what an operation reads. */
import type { ServerResponse } from 'node:http';
import { formBytesMax } from '@holdfast/contract';
import { JsonTextError, parseJson } from '@holdfast/json';
import { Refusal } from '../common/refusal.ts';
import { decodeUtf8 } from '../common/utf8.ts';
import { parseFormText } from '../oauth/parameters.ts';
import type { BodyBounds, BodyReader, BodyRequest } from './body.ts';
import { checkMediaType } from './message.ts';
import type { ParseScheduler } from './parse-scheduler.ts';

/** A request whose body is still to come. */
export interface Incoming extends BodyRequest {
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue`; no longer, once it was told to go on. */
  awaitsContinue: boolean;
}

/** How bodies are read. */
export interface Reading {
  readonly bodies: BodyReader;
  readonly parseScheduler: ParseScheduler;
  readonly requestBytesMax: number;
}

/** How a body is read: within these bounds, and parsed when its turn comes. */
export interface BodyOptions extends BodyBounds {
  readonly bodies: BodyReader;
  readonly parseScheduler: ParseScheduler;
}

/** The JSON value of a body. Refuses `validation_error` for what is no JSON in UTF-8, and what `BodyReader` refuses. */
export async function readJson(incoming: Incoming, options: BodyOptions): Promise<unknown> {
  const bytes = await readBytes(incoming, options);
  return options.parseScheduler.run(options.owner, () => parseBody(textOf(bytes)));
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError) throw new Refusal('validation_error', `the body is refused: ${error.message}`);
    throw error;
  }
}

/**
 * The parameters of a form. Refuses another media type, what is no UTF-8, too many parameters, and what `BodyReader` refuses.
 */
export async function readForm(incoming: Incoming, options: Omit<BodyOptions, 'bytesMax'>): Promise<URLSearchParams> {
  checkMediaType(incoming.request.headers, 'application/x-www-form-urlencoded');
  const bytes = await readBytes(incoming, { ...options, bytesMax: formBytesMax });
  return options.parseScheduler.run(options.owner, () => parseFormText(textOf(bytes)));
}

/** The bytes of a body. Refuses what `BodyReader` refuses. */
export async function readBytes(
  incoming: Incoming,
  { bodies, bytesMax, owner }: Omit<BodyOptions, 'parseScheduler'>,
): Promise<Uint8Array> {
  if (incoming.awaitsContinue) {
    const declared = Number(incoming.request.headers['content-length'] ?? 0);
    if (declared <= bytesMax) {
      incoming.response.writeContinue();
      incoming.awaitsContinue = false;
    }
  }
  return bodies.read(incoming, { bytesMax, owner });
}

function textOf(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Refusal('validation_error', 'the body is not valid UTF-8');
  return text;
}
