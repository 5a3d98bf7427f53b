/** Requests to the operations of the contract. */
import type { operations } from '@holdfast/contract';
import { baseUrl } from './addresses.ts';
import { authorizedFetch } from './session.ts';

type Path = (typeof operations)[keyof typeof operations]['path'];
export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** A response that is no success: its status, the code of the contract, and the body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.message === 'string' ? body.message : `the service answered ${status}`);
    this.status = status;
    this.code = String(body.error ?? body.code ?? status);
    this.body = body;
  }
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the address of an operation, its parameters filled in. */
export function addressOf(path: Path, parameters: Readonly<Record<string, string | number>>): string {
  return baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
}

/** Sends a request. Rejects with `ApiError`, or with a `TypeError` when there is no connection. */
export async function send(method: Method, address: string, options: RequestOptions = {}): Promise<Response> {
  const { query = {}, body, headers = {}, signal } = options;
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const hasBody = body !== undefined;
  const response = await authorizedFetch(url.href, {
    method,
    headers: { ...(hasBody && { 'Content-Type': 'application/json' }), ...headers },
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  });
  if (response.ok || response.status === 304) return response;
  throw new ApiError(response.status, await errorBody(response));
}

/** Sends a request and returns the record in its response. */
export async function call<Body>(method: Method, address: string, options?: RequestOptions): Promise<Body> {
  const response = await send(method, address, options);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

async function errorBody(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
