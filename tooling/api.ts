/** Plain HTTP calls to a server under test, over persistent connections. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ApiRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON string or value. */
  readonly body?: string | object;
}

export interface Api {
  /** Sends one request and resolves with the complete response; rejects if the connection fails. */
  send(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer>;
  close(): void;
}

/** `authorization` is sent with every request. */
export function createApi(baseUrl: string, authorization: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(baseUrl);
  return {
    send(method, path, { headers, body } = {}) {
      const text = typeof body === 'object' ? JSON.stringify(body) : body;
      const framing = text !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      };
      const all = { Authorization: authorization, ...framing, ...headers };
      return exchange({ agent, hostname, port, method, path, headers: all }, text);
    },
    close: () => agent.destroy(),
  };
}

/** Sends one request and resolves with the complete response; rejects if the connection fails. */
export function exchange(options: RequestOptions, body?: string | Uint8Array): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends one request on a new connection. Throws unless the response has this status. */
export async function ask(
  { baseUrl, authorization }: { readonly baseUrl: string; readonly authorization: string },
  status: number,
  ...request: Parameters<Api['send']>
): Promise<ApiAnswer> {
  const api = createApi(baseUrl, authorization);
  try {
    return expectStatus(await api.send(...request), status);
  } finally {
    api.close();
  }
}

/** Returns the response if it has one of the statuses; otherwise throws an error with its text. */
export function expectStatus<Answer extends { readonly status: number; readonly text: string }>(
  answer: Answer,
  ...statuses: readonly number[]
): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`expected status ${statuses.join(' or ')}, got ${answer.status}: ${answer.text.slice(0, 200)}`);
}

/** Precondition of a write that replaces this version; without one, of the first write. */
export const writesAfter = (version: number | null | undefined): Record<string, string> =>
  version ? { 'If-Match': `"${version}"` } : { 'If-None-Match': '*' };
