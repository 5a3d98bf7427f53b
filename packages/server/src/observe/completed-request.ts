/** A request as log, metrics and traces see it once it has been answered. */

export interface CompletedRequest {
  readonly requestId: string;
  /** The id of the request in the audit trail, if it may be there. It is another one if the client has sent one. */
  readonly auditRequestId: string | undefined;
  readonly request: { readonly method?: string | undefined };
  /** Absent where the path leads nowhere, or does not take the method. */
  readonly route: { readonly id: string; readonly operation: { readonly path: string } } | undefined;
  /** Who sent the request. */
  readonly principal: { readonly accountId: string; readonly slug?: string } | undefined;
  /** What the path names, once it is known to be well-formed. */
  readonly params: { readonly accountId?: string; readonly slug?: string } | undefined;
  /** Whether the credential had to be looked up, because it was not remembered. */
  readonly lookedUp: boolean;
  readonly trace: Trace | undefined;
}

export interface Outcome {
  readonly status: number;
  /** The code in the body. */
  readonly code?: string;
  /** The log has a line for it when its body ends, and none before. */
  readonly isLoggedAtEnd?: true;
}

/** The trace that a request belongs to. */
export interface Trace {
  readonly traceId: string;
  /** Headers of outgoing requests that belong to the same trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the span of the request, where one is recorded. */
  end?(completed: CompletedRequest, outcome: Outcome): void;
}

/** Called when a response has been handed to the connection. A streamed body may still be going out. */
export type OnAnswer = (completed: CompletedRequest, outcome: Outcome, milliseconds: number) => void;

/**
 * The outcome of a request whose client goes away before it has sent everything. There is no response; log and metrics use the
 * number that proxies use for that.
 */
export const clientGone: Outcome = { status: 499, code: 'client_gone' };

/** The account that a request is about, or else the one of its credential. */
export const accountOf = ({ params, principal }: CompletedRequest): string | undefined =>
  params?.accountId ?? principal?.accountId;

/** The project that a request is about, or else the one that its credential belongs to. */
export const projectOf = ({ params, principal }: CompletedRequest): string | undefined => params?.slug ?? principal?.slug;

const methods = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

/** The method as a label of few values. @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
export function methodLabel({ request: { method = '' } }: CompletedRequest): string {
  return methods.has(method) ? method : '_OTHER';
}
