/** A plain HTTP client for tests that checks every response against the operation's declaration. */
import { Agent, type IncomingHttpHeaders } from 'node:http';
import { operationOf, undeclared } from '@holdfast/contract/conformance';
import { exchange } from '../../tooling/api.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body. Throws if it is not JSON. */
  readonly json: unknown;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, everything else as JSON with its media type. */
  readonly body?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends one request. Throws if the operation does not declare the response. */
export async function call(baseUrl: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await respond(baseUrl, method, path, options);
  if (method === 'OPTIONS') return answer; // not an operation: applies to a path or to the whole service
  const operation = operationOf(method, path.split('?')[0] as string);
  const fault = undeclared(operation, answer.status, answer.headers, answer.text, method);
  if (fault !== undefined) throw new Error(`${method} ${path} answered what it does not declare: ${fault}`);
  return answer;
}

async function respond(baseUrl: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { body } = options;
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const payload = isRaw ? body : JSON.stringify(body);
  const headers = {
    ...(!isRaw && { 'Content-Type': 'application/json' }),
    ...(payload !== undefined && { 'Content-Length': String(Buffer.byteLength(payload)) }),
    ...options.headers,
  };
  const { hostname: host, port } = new URL(baseUrl);
  // The path is sent unchanged: a URL parser would normalise it.
  const answer = await exchange({ host, port, method, path, headers, agent }, payload);
  return {
    ...answer,
    get json(): unknown {
      return JSON.parse(answer.text);
    },
  };
}
