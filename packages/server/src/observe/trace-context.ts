/** Trace contexts: read from requests, kept while a request is served, and passed on to the services called for it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trace } from './completed-request.ts';

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  /** `tracestate` as received, to be passed on. */
  readonly state: string | undefined;
}

type TraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type TraceOf = (headers: TraceHeaders) => Trace | undefined;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nothing = /^0+$/;
/** Flags with a meaning: sampled, and a random trace id. */
const knownFlags = 0x03;
const stateCharactersMax = 512;

/**
 * Returns the trace context of a request, or undefined if it is missing or not in the form that W3C requires. Of a version after
 * 00, only the parts defined by 00 are read.
 *
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTraceParent({ traceparent, tracestate }: TraceHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined;
  const isKept = typeof tracestate === 'string' && tracestate.length <= stateCharactersMax;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & knownFlags, state: isKept ? tracestate : undefined };
}

/** The headers that carry a trace context. */
export function traceHeaders({ traceId, spanId, flags, state }: TraceParent): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** The trace of a service that records no spans: it passes on the trace of the request. */
export const passedOnTrace: TraceOf = (headers) => {
  const parent = readTraceParent(headers);
  return parent && { traceId: parent.traceId, headers: traceHeaders(parent) };
};

const current = new AsyncLocalStorage<Trace>();

/** Runs `work`, and everything it starts, within a trace. */
export function withinTrace<Result>(trace: Trace, work: () => Result): Result {
  return current.run(trace, work);
}

/** The trace of the current request, if it has one. */
export function currentTrace(): Trace | undefined {
  return current.getStore();
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Returns a `fetch` that passes on the trace of the current request. */
export const traced =
  (send: Send): Send =>
  (url, init) => {
    const trace = currentTrace();
    if (trace === undefined) return send(url, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(trace.headers)) headers.set(name, value);
    return send(url, { ...init, headers });
  };

/** The runtime's `fetch`, passing on the trace. */
export const tracedFetch = traced((url, init) => fetch(url, init));
