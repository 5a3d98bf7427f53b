/** An operation's reply, before the transport adds the headers of every response. */
import type { ServerResponse } from 'node:http';

/** Text in which each character stands for one byte of UTF-8. Node joins it to the headers and sends both in one write. */
export type ByteString = string;

/**
 * A body too large to hold in memory, as portions, each in pieces. The sender asks for the next portion when the client has taken the last
 * one.
 */
export type BodyStream = AsyncIterable<Iterable<string | Uint8Array>>;

/** A body whose source writes it as events happen. Exactly one of the two methods is called, once. */
export interface OpenEndedBody {
  /** Takes over the response, whose head has been set. */
  begin(response: ServerResponse): void;
  /** Called instead of `begin` if nothing may be written: the client requested only the head, or has disconnected. */
  cancel(): void;
}

/** A body in pieces that are all in memory. Strings are encoded as UTF-8 when sent. */
export type BodyParts = readonly (Uint8Array | string)[];

declare const said: unique symbol;

/** An operation's reply. `Content` is the type of its body, for the compiler only. */
export interface Reply<Status extends number = number, Content = unknown> {
  readonly status: Status;
  readonly [said]?: Content;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  readonly body?: ByteString | Uint8Array | BodyParts | BodyStream | OpenEndedBody;
  /** The code in the body, for the log. */
  readonly code?: string;
  /** The request is logged when the body ends. */
  readonly isLoggedAtEnd?: true;
}

/** A reply that reports an error. */
export interface ErrorReply extends Reply {
  readonly code: string;
}

/** The type of a body assembled as text, which the compiler cannot check further. */
export interface AsText {
  readonly isText: true;
}

/** Returns the headers of a reply, without those that are undefined. */
export const headerList = (headers: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));

/** Larger bodies stay bytes: copying them next to the headers costs more than a second buffer. */
const byteStringBytesMax = 16_384;

/** The wire form of a string: a byte string if small, otherwise a buffer. */
export function wireText(text: string): ByteString | Uint8Array {
  const length = Buffer.byteLength(text);
  if (length === text.length && length <= byteStringBytesMax) return text;
  const bytes = Buffer.from(text);
  return length > byteStringBytesMax ? bytes : bytes.toString('latin1');
}

/** A reply with a JSON body. `headers` precede `Content-Type` and `Content-Length`. */
export function jsonReply<Status extends number, const Content>(
  status: Status,
  body: Content,
  headers: readonly string[] = [],
): Reply<Status, Content> {
  return bodyReply(status, 'application/json', JSON.stringify(body), headers);
}

/** A reply with text of any media type. */
export function textReply<Status extends number>(
  status: Status,
  mediaType: string,
  text: string,
  headers: readonly string[] = [],
): Reply<Status, AsText> {
  return bodyReply(status, mediaType, text, headers);
}

function bodyReply<Status extends number, Content>(
  status: Status,
  mediaType: string,
  text: string,
  headers: readonly string[],
): Reply<Status, Content> {
  const body = wireText(text);
  return {
    status,
    headers: [...headers, 'Content-Type', mediaType, 'Content-Length', String(body.length)],
    body,
  };
}

/** A reply without a body. */
export function emptyReply<Status extends number>(
  status: Status,
  headers: readonly string[] = [],
): Reply<Status, undefined> {
  return { status, headers: status === 204 ? headers : [...headers, 'Content-Length', '0'] };
}
