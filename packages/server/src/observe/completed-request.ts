/** An answered request, for log, metrics and traces. */

export interface CompletedRequest {
  readonly requestId: string;
  /** The id of the request in the audit trail, if it may be there. It differs from the request's own id if the client sent one. */
  readonly auditRequestId: string | undefined;
  readonly request: { readonly method?: string | undefined };
  /** Absent if no route has the path or the method. */
  readonly route: { readonly id: string; readonly operation: { readonly path: string } } | undefined;
  /** The principal of the request. */
  readonly principal: { readonly accountId: string; readonly slug?: string } | undefined;
  /** The path parameters, once they are known to be well-formed. */
  readonly params: { readonly accountId?: string; readonly slug?: string } | undefined;
  /** Whether the credential was not cached, and had to be looked up. */
  readonly lookedUp: boolean;
  readonly trace: Trace | undefined;
}

export interface Outcome {
  readonly status: number;
  /** The code in the body. */
  readonly code?: string;
  /** It is logged when its body ends, not before. */
  readonly isLoggedAtEnd?: true;
}

/** The trace that a request belongs to. */
export interface Trace {
  readonly traceId: string;
  /** Headers of outgoing requests that belong to the same trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the span of the request, if one is recorded. */
  end?(completed: CompletedRequest, outcome: Outcome): void;
}

/** Called when a response has been handed to the connection. A streamed body may still be on its way. */
export type OnAnswer = (completed: CompletedRequest, outcome: Outcome, milliseconds: number) => void;

/**
 * The outcome of a request whose client disconnects before it has sent everything. There is no response; log and metrics use the status
 * that proxies use for this.
 */
export const clientGone: Outcome = { status: 499, code: 'client_gone' };

/** The account in the path, or else that of the credential. */
export const accountOf = ({ params, principal }: CompletedRequest): string | undefined =>
  params?.accountId ?? principal?.accountId;

/** The project in the path, or else that of the credential. */
export const projectOf = ({ params, principal }: CompletedRequest): string | undefined => params?.slug ?? principal?.slug;

const methods = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

/** The method as a label with few values. @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
export function methodLabel({ request: { method = '' } }: CompletedRequest): string {
  return methods.has(method) ? method : '_OTHER';
}
