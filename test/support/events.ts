/** A client for change streams that parses server-sent events strictly. */
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { createWakeups } from './wakeups.ts';

export interface ServerEvent {
  readonly type: string;
  readonly id: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event. Rejects if none arrives in time or the stream ends first. */
  next(withinMilliseconds?: number): Promise<ServerEvent>;
  /** Resolves when the server has ended the stream. Rejects if that takes too long. */
  ended(withinMilliseconds?: number): Promise<void>;
  /** The last value of `retry:`. */
  retry(): number | undefined;
  /** Comments so far. */
  comments(): number;
  /** Received events that nothing has read yet. */
  waiting(): readonly ServerEvent[];
  /** Pauses or resumes reading from the connection. */
  pause(isPaused: boolean): void;
  close(): void;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const patienceMilliseconds = 60_000;

/** Opens a stream. Resolves on the response head, whatever its status. */
export async function readEvents(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const url = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<[ClientRequest, IncomingMessage]>();
  const request = httpRequest(
    { host: url.hostname, port: url.port, path, headers: { Accept: 'text/event-stream', ...headers }, agent },
    (response) => resolve([request, response]),
  );
  request.on('error', reject);
  request.end();
  return readerOf(...(await promise));
}

function readerOf(request: ClientRequest, response: IncomingMessage): EventReader {
  const events: ServerEvent[] = [];
  const { wake, waitFor } = createWakeups();
  let text = '';
  let retry: number | undefined;
  let comments = 0;
  let isEnded = false;
  request.on('error', () => {}); // cut by this client
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      // `retry:` is in the block of an event: some clients read a separate one as an event without data.
      const [, time, block = ''] = /^(?:retry: ([0-9]+)\n)?(.*)$/s.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (time !== undefined) retry = Number(time);
      if (block.startsWith(':')) comments++;
      else events.push(eventOf(block));
    }
    wake();
  });
  response.on('error', () => {});
  response.on('close', () => {
    isEnded = true;
    wake();
  });

  const next = <Result>(what: string, milliseconds: number, look: () => Result | undefined): Promise<Result> =>
    waitFor(
      milliseconds,
      () => `${what} did not arrive within ${milliseconds} ms`,
      () => {
        const result = look();
        if (result === undefined && isEnded) throw new Error(`the stream ended before ${what}`);
        return result;
      },
    );

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next: (milliseconds = patienceMilliseconds) => next('an event', milliseconds, () => events.shift()),
    ended: async (milliseconds = patienceMilliseconds) => {
      await next('the end', milliseconds, () => isEnded || undefined);
    },
    retry: () => retry,
    comments: () => comments,
    waiting: () => events,
    pause: (isPaused) => void (isPaused ? response.pause() : response.resume()),
    close: () => request.destroy(),
  };
}

/** Throws if the block is not a valid event of this service. */
function eventOf(block: string): ServerEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const [, name, value] = /^(event|id|data): (.*)$/s.exec(line) ?? [];
      if (name === undefined) throw new Error(`no line of an event: ${line.slice(0, 100)}`);
      return [name, value];
    }),
  );
  const { event, id, data } = fields;
  if (event === undefined || data === undefined) throw new Error(`no event: ${block.slice(0, 100)}`);
  return { type: event, id: id === undefined ? undefined : Number(id), data: JSON.parse(data) };
}
