/** Plain JSON calls to a server under test, over persistent connections. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ApiRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
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
  const send = (method: string, path: string, { headers, body }: ApiRequest = {}) =>
    new Promise<ApiAnswer>((resolve, reject) => {
      const framing = body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      };
      const all = { Authorization: authorization, ...framing, ...headers };
      const sent = request({ agent, hostname, port, method, path, headers: all }, (response) => {
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
  return { send, close: () => agent.destroy() };
}

/** Returns the response if it has one of the statuses; otherwise throws an error with its text. */
export function expectStatus(answer: ApiAnswer, ...statuses: readonly number[]): ApiAnswer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`expected status ${statuses.join(' or ')}, got ${answer.status}: ${answer.text.slice(0, 200)}`);
}
