/**
 * A strict parser of HTTP/1.1 responses as bytes. It tolerates no deviation, since it checks a server: anything that it cannot parse
 * is a fault of the response.
 *
 * @see RFC 9112 §4, §5 and §6
 */

export interface HttpAnswer {
  readonly status: number;
  /** Values by lower-case name. This service never repeats a header. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export type AnswerReading =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer; readonly bytes: number }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed'; readonly fault: string };

export interface ReadingOptions {
  /** Whether the response is to `HEAD`; `unknown` decides by the bytes after the headers. */
  readonly toHead: boolean | 'unknown';
}

const beginning = 'HTTP/1.1 ';
const statusLine = /^HTTP\/1\.1 ([1-5][0-9][0-9]) [\x20-\x7e]*$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
/** The largest head of this service is far smaller. */
const headBytesMax = 16_384;

const malformed = (fault: string): AnswerReading => ({ kind: 'malformed', fault });

/** Parses the response at the start of `wire`: returns it with its length, that more is needed, or its fault. */
export function readAnswer(wire: Buffer, options: ReadingOptions): AnswerReading {
  const begun = wire.toString('latin1', 0, beginning.length);
  if (!beginning.startsWith(begun)) return malformed(`${JSON.stringify(begun)} begins no answer`);
  const end = wire.indexOf('\r\n\r\n');
  if (end < 0 || end > headBytesMax) {
    return wire.length > headBytesMax
      ? malformed(`no end of headers within ${headBytesMax} bytes`)
      : { kind: 'incomplete' };
  }
  const [first = '', ...lines] = wire.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.exec(first)?.[1]);
  if (Number.isNaN(status)) return malformed(`bad status line ${JSON.stringify(first.slice(0, 80))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? [];
    if (name === undefined) return malformed(`bad header line ${JSON.stringify(line.slice(0, 80))}`);
    // Set-Cookie alone may be repeated. @see RFC 9110 §5.3
    const isRepeated = headers.has(name.toLowerCase()) && name.toLowerCase() !== 'set-cookie';
    if (isRepeated) return malformed(`the header ${name} is repeated`);
    headers.set(name.toLowerCase(), value);
  }
  return readBody(wire, end + 4, { status, headers }, options);
}

type Head = Omit<HttpAnswer, 'body'>;

function readBody(wire: Buffer, start: number, head: Head, { toHead }: ReadingOptions): AnswerReading {
  const length = head.headers.get('content-length');
  const coding = head.headers.get('transfer-encoding');
  if (length !== undefined && coding !== undefined) return malformed('both Content-Length and Transfer-Encoding');
  if (length !== undefined && !/^(0|[1-9][0-9]*)$/.test(length)) return malformed(`bad Content-Length "${length}"`);
  if (coding !== undefined && coding !== 'chunked') return malformed(`bad Transfer-Encoding "${coding}"`);
  const whole = (body: Buffer, end: number): AnswerReading => ({ kind: 'answer', answer: { ...head, body }, bytes: end });
  const none = Buffer.alloc(0);

  if (head.status < 200 || head.status === 204) {
    return length === undefined && coding === undefined ? whole(none, start) : malformed(`${head.status} announces a body`);
  }
  const followedByAnswer = wire.length === start || wire.toString('latin1', start, start + beginning.length) === beginning;
  if (head.status === 304 || toHead === true || (toHead === 'unknown' && followedByAnswer)) return whole(none, start);
  if (coding !== undefined) return readChunks(wire, start, whole);
  if (length === undefined) return malformed(`the body of status ${head.status} has no framing`);
  const end = start + Number(length);
  return wire.length < end ? { kind: 'incomplete' } : whole(wire.subarray(start, end), end);
}

function readChunks(wire: Buffer, start: number, whole: (body: Buffer, end: number) => AnswerReading): AnswerReading {
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = wire.indexOf('\r\n', at);
    if (lineEnd < 0) return { kind: 'incomplete' };
    const digits = wire.toString('latin1', at, lineEnd);
    if (!/^[0-9a-fA-F]{1,8}$/.test(digits)) return malformed(`bad chunk size ${JSON.stringify(digits.slice(0, 40))}`);
    const bytes = Number.parseInt(digits, 16);
    const next = lineEnd + 2 + bytes;
    if (wire.length < next + 2) return { kind: 'incomplete' };
    if (wire.toString('latin1', next, next + 2) !== '\r\n') return malformed('a chunk is longer than its size');
    if (bytes === 0) return whole(Buffer.concat(pieces), next + 2);
    pieces.push(wire.subarray(lineEnd + 2, next));
    at = next + 2;
  }
}
