/** A client that sends raw bytes over TCP and parses responses strictly, for requests that an HTTP client would never send. */
import { connect } from 'node:net';
import { type HttpAnswer, readAnswer } from '../../tooling/http-answers.ts';
import { createWakeups } from './wakeups.ts';

/** Shorter than the limit of a test, so that it says what it waited for. */
const patienceMilliseconds = 60_000;

export interface AnswerOptions {
  readonly toHead?: boolean;
  readonly withinMilliseconds?: number;
}

export interface RawConnection {
  /** Strings are sent as one byte per character. */
  send(bytes: string | Uint8Array): void;
  /** The next response, including interim ones (1xx). Rejects if none arrives in time or it is not valid. */
  answer(options?: AnswerOptions): Promise<HttpAnswer>;
  /** How the server ended the connection, and any unsolicited bytes before that. Rejects if it stays open. */
  ended(withinMilliseconds?: number): Promise<{ readonly by: 'end' | 'reset'; readonly unread: string }>;
  /** Bytes that arrive within this time, without consuming them. */
  unreadAfter(milliseconds: number): Promise<string>;
  isOpen(): boolean;
  /** Ends the sending side. */
  finish(): void;
  close(): void;
}

/** Opens a connection to the server at `baseUrl`. */
export async function connectRaw(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let endedBy: 'end' | 'reset' | undefined;
  const { wake, waitFor } = createWakeups();
  socket.on('data', (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    wake();
  });
  socket.on('end', () => {
    endedBy ??= 'end';
    wake();
  });
  socket.on('error', () => {
    endedBy ??= 'reset';
    wake();
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));

  const next = <Result>(what: string, milliseconds: number, look: () => Result | undefined): Promise<Result> =>
    waitFor(
      milliseconds,
      () =>
        `${what} within ${milliseconds} ms; received so far: ${JSON.stringify(received.toString('latin1').slice(0, 300))}`,
      look,
    );

  return {
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    answer: ({ toHead = false, withinMilliseconds = patienceMilliseconds } = {}) =>
      next('no whole answer', withinMilliseconds, () => {
        const reading = readAnswer(received, { toHead });
        if (reading.kind === 'malformed') throw new Error(`a malformed answer: ${reading.fault}`);
        if (reading.kind === 'answer') {
          received = received.subarray(reading.bytes);
          return reading.answer;
        }
        if (endedBy !== undefined) throw new Error(`the connection was over (${endedBy}) before a whole answer`);
        return undefined;
      }),
    ended: (withinMilliseconds = patienceMilliseconds) =>
      next('the connection did not end', withinMilliseconds, () =>
        endedBy === undefined ? undefined : { by: endedBy, unread: received.toString('latin1') },
      ),
    unreadAfter: async (milliseconds) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return received.toString('latin1');
    },
    isOpen: () => endedBy === undefined,
    finish: () => void socket.end(),
    close: () => void socket.destroy(),
  };
}

/** Sends `bytes` over a new connection and resolves with the first final response. */
export async function exchangeRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  options?: AnswerOptions,
): Promise<HttpAnswer> {
  const connection = await connectRaw(baseUrl);
  try {
    connection.send(bytes);
    return await connection.answer(options);
  } finally {
    connection.close();
  }
}
