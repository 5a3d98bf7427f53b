/** A plain HTTP client for tests that holds every answer against what its operation declared. */
import { Agent, type IncomingHttpHeaders } from 'node:http';
import { operationOf, undeclared } from '@holdfast/contract/conformance';
import { exchange } from '../../tooling/api.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; throws when there is none. */
  readonly json: unknown;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when a string or bytes, else as JSON with its media type. */
  readonly body?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends one request and fails when the answer is one that its operation did not declare. */
export async function call(baseUrl: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await respond(baseUrl, method, path, options);
  if (method === 'OPTIONS') return answer; // no operation: asked of a path, or of the service
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
  // The path goes out as it is given: a URL parser would tidy up what a test wants to send.
  const answer = await exchange({ host, port, method, path, headers, agent }, payload);
  return {
    ...answer,
    get json(): unknown {
      return JSON.parse(answer.text);
    },
  };
}
