/** One connection for the changes of a document: an event stream, or a long poll if streams are blocked. */
import { createParser } from 'eventsource-parser';
import type { Auth } from '../auth/auth.ts';
import { authorizationFor, type Owner } from '../auth/owner.ts';
import { errorOf, HoldfastError, objectIn } from '../errors.ts';
import { parseExact, printExact } from '../exact.ts';
import { orAborted } from '../limits.ts';
import { noStore, queryOf } from '../service.ts';

export interface Endpoint {
  readonly url: string;
  readonly fetch: typeof fetch;
}

/** A stream belongs to the user who opened it. No other user's token reopens it. */
export interface OwnEndpoint extends Endpoint {
  readonly auth: Auth;
  readonly owner: Owner;
}

/** An event with its data as text. */
export interface WireEvent {
  readonly type: string;
  readonly text: string;
}

/** Receives an event; the next one is read afterwards. */
export type Take = (event: WireEvent) => Promise<void>;

/** How a connection ended without being cut. `retryMs`: when to reconnect. */
export interface Ending {
  readonly isBuffered?: boolean;
  readonly retryMs?: number;
}

/** The service sends something every 15 seconds. */
const silenceMs = 40_000;
/** The service sends the first line immediately. If nothing arrives, a proxy buffers the stream. */
const firstByteMs = 8_000;
/** A stream without data for this long may be buffered by a proxy, so the document is read meanwhile. */
export const firstEventMs = 500;
/** How long a poll waits for a change. */
const pollSeconds = 25;
/** How often to poll if no connection may be kept. */
const askAgainMs = 3_000;
/** A poll that returned nothing before this time was not answered by the service. */
const emptyPollMs = 1_000;
const farewellMsMax = 300_000;

/** A request that is aborted by the signal, or if nothing arrives for a time. */
async function open(endpoint: OwnEndpoint, query: string, accept: string, signal: AbortSignal, quietMs: number) {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  let timer = setTimeout(() => controller.abort(), quietMs);
  const close = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), silenceMs);
  };
  const { url, auth, owner, fetch } = endpoint;
  const ask = async (): Promise<Response & { readonly authorization?: string | undefined }> => {
    const authorization = await orAborted(authorizationFor(auth, owner, signal), signal);
    const headers = { Accept: accept, ...(authorization !== undefined && { Authorization: authorization }) };
    const response = await fetch(url + query, { headers, signal: controller.signal, ...noStore() });
    return response.status === 401 ? Object.assign(response, { authorization }) : response;
  };
  try {
    let response = await ask();
    if (response.status === 401 && (await auth.renew(response.authorization, signal))) response = await ask();
    const { status, headers } = response;
    if (!response.ok) throw errorOf({ status, headers, text: await response.text() });
    if (!headers.has('API-Version')) throw foreign(status);
    return { response, alive, close };
  } catch (failure) {
    close();
    controller.abort();
    throw failure;
  }
}

const foreign = (status: number): HoldfastError =>
  new HoldfastError('unexpected_response', 'the response is not from the service', { status });

/** Reads a stream until it ends. Rejects if it cannot be opened or is cut. */
export async function readStream(
  endpoint: OwnEndpoint,
  since: number | undefined,
  take: Take,
  signal: AbortSignal,
): Promise<Ending> {
  let hasBegun = false;
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  try {
    opened = await open(endpoint, queryOf({ since }), 'text/event-stream', signal, firstByteMs);
    const { response, alive } = opened;
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (!response.body?.getReader || !isStream) return { isBuffered: true };
    const reader = response.body.getReader();
    const events: WireEvent[] = [];
    const parser = createParser({ onEvent: ({ event = 'message', data }) => events.push({ type: event, text: data }) });
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return {};
      hasBegun = true;
      alive();
      parser.feed(decoder.decode(value, { stream: true }));
      for (const event of events.splice(0)) {
        if (event.type === 'goodbye') return farewell(event);
        await take(event);
      }
    }
  } catch (failure) {
    const isTimeout = !hasBegun && !signal.aborted && (failure as Error | undefined)?.name === 'AbortError';
    if (isTimeout) return { isBuffered: true };
    throw failure;
  } finally {
    opened?.close();
    await opened?.response.body?.cancel().catch(() => {});
  }
}

/** Polls once for changes after a version, and waits for one if the connection may be kept. */
export async function readPoll(
  endpoint: OwnEndpoint,
  since: number | undefined,
  take: Take,
  signal: AbortSignal,
  mayWait: boolean,
): Promise<Ending> {
  const begunAt = Date.now();
  const { response, close } = await open(
    endpoint,
    queryOf({ since, wait: mayWait ? pollSeconds : 0 }),
    'application/json',
    signal,
    silenceMs,
  );
  try {
    const events = response.status === 204 ? [] : splitEvents(await response.text());
    for (const event of events) {
      if (event.type === 'goodbye') return farewell(event);
      await take(event);
    }
    if (!mayWait) return { retryMs: askAgainMs };
    // The service waits before it reports no change.
    return events.length > 0 || Date.now() - begunAt >= emptyPollMs ? { retryMs: 0 } : {};
  } finally {
    close();
  }
}

/** The events of a poll. Their texts are printed from exact values, so that no digit is lost. */
function splitEvents(text: string): readonly WireEvent[] {
  const { events } = parseExact(text) as unknown as { readonly events: readonly { readonly type: string }[] };
  return events.map((event) => ({ type: event.type, text: printExact(event) }));
}

/** The service closes the connection, and says when to reconnect. */
function farewell({ text }: WireEvent): Ending {
  const { retryAfterMs } = objectIn(text) ?? {};
  const isTime = typeof retryAfterMs === 'number' && retryAfterMs >= 0 && retryAfterMs <= farewellMsMax;
  return isTime ? { retryMs: retryAfterMs } : {};
}
