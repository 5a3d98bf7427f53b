/**
 * Calls operations by name, for programs without a client library:
 *
 *     const { call } = createCaller({ baseUrl, fetch });
 *     const { items } = await call('listApiKeys', { params: { accountId, slug } });
 *
 * Calls that do not fit the operation do not compile.
 */
import type { CallId, CallOptions, CallResult } from './call-types.ts';
import { routes } from './routes.ts';

export type { CallId, CallOptions, CallResult, ContentOf } from './call-types.ts';

/** A failed response: its status, its code, and its body, which is empty if it was not a JSON object. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** A code of the contract, or the status. */
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.message === 'string' ? body.message : `the service answered ${status}`);
    this.status = status;
    this.code = String(body.error ?? body.code ?? status);
    this.body = body;
  }

  /** Reads a failed response. */
  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    return new ApiError(response.status, typeof body === 'object' && body !== null ? { ...body } : {});
  }
}

export interface CallerOptions {
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Sends a request, with its credential. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options may be left out if none is required. */
type Rest<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

export interface Caller {
  /**
   * Calls an operation and returns the record in its response. Numbers become doubles; use `send` to read documents with longer numbers.
   * Rejects with `ApiError`, or like `fetch`.
   */
  call<Id extends CallId>(id: Id, ...rest: Rest<CallOptions<Id>>): Promise<CallResult<Id>>;
  /** Calls an operation and returns its response, which is a success or 304. Rejects like `call`. */
  send<Id extends CallId>(id: Id, ...rest: Rest<CallOptions<Id>>): Promise<Response>;
}

/** Options of all operations. */
interface AnyOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: object | string;
  readonly ifVersion?: number | null;
  readonly idempotencyKey?: string;
  readonly knownVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns a caller of one service's operations. */
export function createCaller({ baseUrl, fetch }: CallerOptions): Caller {
  const send = async (id: CallId, options: AnyOptions = {}): Promise<Response> => {
    const [method = '', path = '', form] = routes[id].split(' ');
    const { params = {}, query = {}, body, signal } = options;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const asked = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
    const response = await fetch(`${baseUrl}${filled}${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''}`, {
      method,
      headers: headersOf(options, form !== undefined),
      ...(body !== undefined && { body: textOf(body, form !== undefined) }),
      ...(signal && { signal }),
    });
    if (response.ok || response.status === 304) return response;
    throw await ApiError.of(response);
  };
  const call = async (id: CallId, options?: AnyOptions): Promise<unknown> => {
    const text = await (await send(id, options)).text();
    return text === '' ? undefined : JSON.parse(text);
  };
  return { call, send } as Caller; // the types of its options and results follow from the operation
}

function headersOf(options: AnyOptions, isForm: boolean): Record<string, string> {
  const { body, ifVersion, knownVersion, idempotencyKey } = options;
  return {
    ...(body !== undefined && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    ...(ifVersion === null && { 'If-None-Match': '*' }),
    ...(typeof ifVersion === 'number' && { 'If-Match': `"${ifVersion}"` }),
    ...(knownVersion !== undefined && { 'If-None-Match': `"${knownVersion}"` }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
}

function textOf(body: object | string, isForm: boolean): string {
  if (typeof body === 'string') return body;
  return isForm ? new URLSearchParams(Object.entries(body)).toString() : JSON.stringify(body);
}
