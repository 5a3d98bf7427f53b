/** A request's line in the log. */
import type { DestinationStream } from 'pino';
import { accountOf, type CompletedRequest, type OnAnswer, type Outcome, projectOf } from './completed-request.ts';
import type { Flood } from './flood.ts';
import { isoTime } from './log.ts';

export const answeredMessage = 'answered';

/** The logged requests: all, or only refused and failed ones. */
export type LogRequests = 'all' | 'refused';

/** Statuses that any request can cause: of a limit, a quota, an overloaded service, an unavailable store. */
const floodStatuses = new Set([402, 429, 503]);
/** Called every few seconds by monitoring. Logged only if they fail. */
const probes = new Set(['readLiveness', 'readReadiness']);
/** A console file that takes longer is also logged on a terminal. */
const slowMilliseconds = 500;
/** A longer account id can only come from a path, and does not exist. */
const accountCharactersMax = 64;

export interface RequestLogOptions {
  readonly output: DestinationStream;
  /** Console files come by the dozen, and preflights with every call: on a terminal, only refused or slow ones are logged. */
  readonly isTerminal?: boolean;
  readonly flood: Flood;
  readonly requests: LogRequests;
  /** Whether to write every line, including those of probes and floods. */
  readonly isDebug: boolean;
}

/** Returns the observer that logs each request. */
export function createRequestLog({ output, isTerminal = false, flood, requests, isDebug }: RequestLogOptions): OnAnswer {
  return (completed, outcome, milliseconds) => {
    const { status, code } = outcome;
    if (outcome.isLoggedAtEnd) return;
    if (!isDebug) {
      if (status < 400 && (requests === 'refused' || (completed.route && probes.has(completed.route.id)))) return;
      if (isTerminal && isMinor(completed) && status < 400 && milliseconds < slowMilliseconds) return;
      if (floodStatuses.has(status) && !flood.admits(code ?? String(status))) return;
    }
    output.write(requestLine(completed, outcome, milliseconds));
  };
}

/** Whether a request is of no interest to a person: for a file of the console, or a preflight. */
const isMinor = ({ route, request }: CompletedRequest): boolean =>
  route?.id === 'readConsole' || (route === undefined && request.method === 'OPTIONS');

/** The line that pino would write, built by hand in 1.5 us. Pino takes 5.5 us, a tenth of a whole read. */
function requestLine(completed: CompletedRequest, { status, code }: Outcome, milliseconds: number): string {
  const { requestId, auditRequestId, request, route, trace } = completed;
  const ownId = auditRequestId === requestId ? undefined : auditRequestId;
  const account = accountOf(completed)?.slice(0, accountCharactersMax);
  const project = projectOf(completed);
  const milli = Math.round(milliseconds * 1000) / 1000;
  return `{"level":"info","time":"${isoTime()}","requestId":${quoted(requestId)}${field('auditRequestId', ownId)},"method":${quoted(request.method ?? '')}${
    route === undefined ? '' : `,"route":"${route.operation.path}","operation":"${route.id}"`
  },"status":${status}${field('code', code)},"durationMilliseconds":${milli}${field('account', account)}${field(
    'project',
    project,
  )}${trace === undefined ? '' : `,"traceId":"${trace.traceId}"`},"msg":"${answeredMessage}"}\n`;
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${quoted(value)}`;

const plain = /^[\w.:-]*$/;

/** A JSON string; nearly all need no escapes. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));
