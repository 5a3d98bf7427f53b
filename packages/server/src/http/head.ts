/**
 * The first lines of an answer, printed here: the runtime would look through every header of every answer once more, to find
 * out what is known already, which takes 4 to 5 % of a read.
 */
import type { ServerResponse } from 'node:http';
import { keepPrintedHead } from './node-internals.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** How long an idle connection is kept. */
export const keepAliveSeconds = 65;

/** Header lines as they go over the wire, each with its line break. One byte for each character. */
export type HeaderLines = string;

/** Whatever would end a header, or cannot be one byte. @see RFC 9110 §5.5 */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

/** Prints name, value, name, value … Throws a `TypeError` for a value that would not stay within its line. */
export function headerLines(fields: readonly string[]): HeaderLines {
  let lines = '';
  for (let i = 0; i < fields.length; i += 2) {
    const value = fields[i + 1] as string;
    if (forbidden.test(value)) throw new TypeError(`the header ${fields[i]} has a character that no header can have`);
    lines += `${fields[i]}: ${value}\r\n`;
  }
  return lines;
}

const statusLines = new Map<number, string>();
for (const [status, reason] of Object.entries(STATUS_CODES))
  statusLines.set(Number(status), `HTTP/1.1 ${status} ${reason}\r\n`);

const keptAlive: HeaderLines = headerLines(['Connection', 'keep-alive', 'Keep-Alive', `timeout=${keepAliveSeconds}`]);
const closed: HeaderLines = headerLines(['Connection', 'close']);

let datedSecond = 0;
let dateLine: HeaderLines = '';

/** The `Date` of an answer that leaves now. */
function date(): HeaderLines {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== datedSecond) {
    datedSecond = second;
    dateLine = headerLines(['Date', new Date(now).toUTCString()]);
  }
  return dateLine;
}

/** What the head of an answer says. */
export interface Head {
  readonly status: number;
  /** All but the date and what is said of the connection. */
  readonly lines: HeaderLines;
  /** Whether the connection ends with this answer. */
  readonly isLast: boolean;
}

/** Prints a head, with the date and the empty line that ends it. */
export function printHead({ status, lines, isLast }: Head): string {
  return `${statusLines.get(status)}${lines}${date()}${isLast ? closed : keptAlive}\r\n`;
}

/** Statuses whose answers end with their head. @see RFC 9110 §6.4.1 */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

/**
 * Gives the response its head, once, before anything is written to it. A body is as long as the lines say. The connection
 * ends with an answer that is the last, and with one that the client wants no other after. `keep` gives the runtime a head that is
 * printed, and returns false where it does not take one.
 */
export function putHead(response: ServerResponse, { status, lines, isLast }: Head, keep = keepPrintedHead): void {
  if (response.headersSent) throw new Error('a response can have one head only');
  const endsConnection = isLast || !response.shouldKeepAlive;
  response.statusCode = status;
  if (keep(response, printHead({ status, lines, isLast: endsConnection }), endsConnection, !bodiless.has(status))) return;
  response.writeHead(status, fieldsOf(lines + (endsConnection ? closed : keptAlive)));
}

/** Name, value, name, value … of printed lines. No name has a colon. */
function fieldsOf(lines: HeaderLines): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
}

const inChunks: HeaderLines = headerLines(['Transfer-Encoding', 'chunked']);

/**
 * Gives the response the head of a body whose length is not known: it goes in chunks, or, to a client that is older than those,
 * up to the end of the connection.
 */
export function putStreamHead(response: ServerResponse, { status, lines, isLast }: Head, keep = keepPrintedHead): void {
  const hasChunks = response.useChunkedEncodingByDefault;
  putHead(response, { status, lines: hasChunks ? lines + inChunks : lines, isLast: isLast || !hasChunks }, keep);
  response.chunkedEncoding = hasChunks;
}
