/** Clients of a reverse proxy with an untrusted certificate: HTTP/1.1, HTTP/2, and bytes over TLS. */
import { connect as connectHttp2 } from 'node:http2';
import { type Agent, request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Text of the body, decompressed. */
  readonly text: string;
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of this machine from which the request is sent. */
  readonly from?: string;
}

export type Ask = (question: Question) => Promise<Answer>;

const patienceMilliseconds = 60_000;
/** Both proxies choose the certificate by this name. */
const servername = 'localhost';
const unsigned = { servername, rejectUnauthorized: false } as const;

const plain = (headers: Readonly<Record<string, unknown>>): Answer['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : String(value)]));

/** The text of a body. Throws if its compressed data is incomplete. */
function textOf(pieces: readonly Buffer[], headers: Answer['headers']): string {
  const body = Buffer.concat(pieces);
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
}

/** Sends a request to the proxy on `port` over HTTP/1.1, on a new connection unless an agent keeps some. */
export const askOverHttp1 =
  (port: number, agent: Agent | false = false): Ask =>
  ({ method = 'GET', path, headers = {}, body, from }) =>
    new Promise((resolve, reject) => {
      const length =
        body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const address = from === undefined ? {} : { localAddress: from };
      const options = { ...unsigned, ...address, host: '127.0.0.1', port, method, path, agent };
      const request = httpsRequest(
        { ...options, headers: { Host: servername, ...length, ...headers }, timeout: patienceMilliseconds },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const answered = plain(response.headers);
            resolve({ status: response.statusCode ?? 0, headers: answered, text: textOf(pieces, answered) });
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
      request.on('error', reject);
      request.end(body);
    });

/**
 * Reads a response over HTTP/1.1 or HTTP/2 while it is being sent. `onText` receives all text so far, each time that more arrives; resolves
 * when it returns true. Rejects if that takes too long.
 */
export function follow(
  { port, version }: { readonly port: number; readonly version: 1 | 2 },
  { path, headers = {} }: Question,
  onText: (text: string) => boolean,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  const take = (piece: Buffer) => {
    text += piece.toString('utf8');
    if (onText(text)) resolve();
  };
  const late = () => reject(new Error(`of ${path} this came: ${text}`));
  const timer = setTimeout(late, patienceMilliseconds);
  let close: () => void;
  if (version === 1) {
    const options = { ...unsigned, host: '127.0.0.1', port, path, agent: false } as const;
    const request = httpsRequest({ ...options, headers: { Host: servername, ...headers } }, (response) => {
      response.on('data', take).on('error', () => {}); // cut by this client
    });
    request.on('error', reject).end();
    close = () => request.destroy();
  } else {
    const session = connectHttp2(`https://127.0.0.1:${port}`, unsigned);
    session.on('error', reject);
    const stream = session.request({ ':method': 'GET', ':path': path, ':authority': servername, ...lowered(headers) });
    stream.on('data', take).on('error', reject);
    close = () => session.destroy();
  }
  return promise.finally(() => {
    clearTimeout(timer);
    close();
  });
}

const lowered = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Sends a request to the proxy on `port` over HTTP/2. */
export const askOverHttp2 =
  (port: number): Ask =>
  ({ method = 'GET', path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(`https://127.0.0.1:${port}`, unsigned);
      session.on('error', reject);
      const stream = session.request({ ':method': method, ':path': path, ':authority': servername, ...lowered(headers) });
      const pieces: Buffer[] = [];
      let answered: Record<string, unknown> = {};
      stream.on('response', (received) => {
        answered = received as Record<string, unknown>;
      });
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('error', reject);
      stream.setTimeout(patienceMilliseconds, () => stream.destroy(new Error(`no answer to ${method} ${path}`)));
      stream.on('end', () => {
        session.close();
        const headers = plain(answered);
        resolve({ status: Number(answered[':status']), headers, text: textOf(pieces, headers) });
      });
      stream.end(body);
    });

/** Sends `head`, then `rest` once the received text matches `until`, and returns all text when the connection ends. */
export function exchangeBytes(port: number, head: string, until: RegExp, rest: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...unsigned, host: '127.0.0.1', port }, () => socket.write(head));
    let received = '';
    let isSent = false;
    socket.setTimeout(patienceMilliseconds, () =>
      socket.destroy(new Error(`the connection stays open after: ${received}`)),
    );
    socket.on('data', (piece: Buffer) => {
      received += piece.toString('latin1');
      if (isSent || !until.test(received)) return;
      isSent = true;
      socket.write(rest);
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(received));
  });
}
