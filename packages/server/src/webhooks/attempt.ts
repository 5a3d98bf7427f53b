/** One try of a delivery: what is sent, and what the result means. */
import { webhookPauseSeconds, webhookResponseCharactersMax, webhookResponseHeadersMax } from '@holdfast/contract';
import { formatTime } from '../common/requests/time.ts';
import type { ClaimedDelivery, LastTry, TryResult } from '../storage/contract/webhooks.ts';
import { signedHeaders } from './signature.ts';
import type { TargetSealer } from './target.ts';

/** Sends one request, on a connection of its own to an allowed address, and returns the head of the response. Follows no redirect. */
export type Send = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
  /** Private networks that the operator opened for the account. */
  networks: readonly string[],
) => Promise<{ readonly status: number; readonly headers: NonNullable<LastTry['received']> }>;

export interface AttemptParts {
  readonly targets: TargetSealer;
  readonly send: Send;
  /** Returns the JSON object of an event as it is sent. */
  readonly dataOf: (delivery: ClaimedDelivery) => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Success, or the reason for the failure, which goes to the log. */
export interface Attempted {
  readonly result: TryResult;
  readonly fault: string | undefined;
}

/** How long a receiver may take. */
const timeoutMilliseconds = 15_000;
const second = 1_000;
const hour = 3_600 * second;
/** A webhook is switched off after failing for this long without a success. */
const failingMilliseconds = 5 * 24 * hour;

const gone = 410;

/** Tries a delivery. Rejects only if the event cannot be made now, with nothing sent. */
export async function attempt(delivery: ClaimedDelivery, parts: AttemptParts): Promise<Attempted> {
  const { now } = parts;
  const data = await parts.dataOf(delivery);
  const begunAt = now();
  const { status, fault, sent, received } = await send(delivery, data, parts);
  const at = now();
  const isDelivered = status !== null && status >= 200 && status < 300;
  const pause = status === gone ? undefined : webhookPauseSeconds[delivery.step];
  const isPostponed = !isDelivered && pause !== undefined;
  return {
    result: {
      status: isDelivered ? 'delivered' : isPostponed ? 'waiting' : 'failed',
      dueAt: isPostponed ? at + pause * second : null,
      responseStatus: status,
      milliseconds: Math.max(0, at - begunAt),
      at,
      lastTry: { at, host: delivery.host, sent, received },
      isGone: status === gone,
      failingBefore: at - failingMilliseconds,
    },
    fault: isDelivered ? undefined : (fault ?? `status ${status}`),
  };
}

interface Sent extends Pick<LastTry, 'sent' | 'received'> {
  readonly status: number | null;
  readonly fault?: string;
}

async function send(delivery: ClaimedDelivery, data: string, parts: AttemptParts): Promise<Sent> {
  let sent: LastTry['sent'] = {};
  try {
    const target = parts.targets.open(delivery.sealedTarget, delivery);
    const url = new URL(target.url);
    const body = bodyOf(delivery.type, delivery.createdAt, data);
    sent = signedHeaders(target, delivery.deliveryId, body, parts.now());
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const { status, headers } = await parts.send(url, { headers: sent, body, signal }, delivery.networks);
    return { status, sent, received: bounded(headers) };
  } catch (error) {
    return { status: null, sent, received: null, fault: faultOf(error) };
  }
}

/** Returns the body of a delivery's requests. */
export const bodyOf = (type: string, createdAt: number, data: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${formatTime(createdAt)}","data":${data}}`;

const cookies = /^set-cookie2?$/;

/** Headers of a response as they are kept: without cookies, up to a number and size. */
function bounded(headers: NonNullable<LastTry['received']>): NonNullable<LastTry['received']> {
  let room = webhookResponseCharactersMax;
  const kept: (readonly [string, string])[] = [];
  for (const [name, value] of headers) {
    const known = name.toLowerCase();
    if (cookies.test(known)) continue;
    room -= known.length;
    if (room <= 0 || kept.length >= webhookResponseHeadersMax) break;
    kept.push([known, value.slice(0, room)]);
    room -= value.length;
  }
  return kept;
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'TimeoutError' ? `no response within ${timeoutMilliseconds / second} s` : error.message;
}
