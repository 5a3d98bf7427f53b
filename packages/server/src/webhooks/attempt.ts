/** One try of a delivery: what is sent, and what the result means. */
import { formatTime } from '../common/time.ts';
import type { ClaimedDelivery, TryResult } from '../storage/contract/webhooks.ts';
import { signedHeaders } from './signature.ts';
import type { TargetSealer } from './target.ts';

/** Sends one request, on a connection of its own to an allowed address, and returns the status. Follows no redirect. */
export type Send = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
  /** Private networks that the operator opened for the account. */
  networks: readonly string[],
) => Promise<number>;

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
const minute = 60 * second;
const hour = 60 * minute;
/** The pauses before the second and each further try. */
const pauses = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour];
/** A webhook is switched off after failing for this long without a success. */
const failingMilliseconds = 5 * 24 * hour;

const gone = 410;

/** Tries a delivery. Rejects only if the event cannot be made now, with nothing sent. */
export async function attempt(delivery: ClaimedDelivery, parts: AttemptParts): Promise<Attempted> {
  const { now } = parts;
  const data = await parts.dataOf(delivery);
  const begunAt = now();
  const { status, fault } = await sent(delivery, data, parts);
  const at = now();
  const isDelivered = status !== null && status >= 200 && status < 300;
  const pause = status === gone ? undefined : pauses[delivery.step];
  const isPostponed = !isDelivered && pause !== undefined;
  return {
    result: {
      status: isDelivered ? 'delivered' : isPostponed ? 'waiting' : 'failed',
      dueAt: isPostponed ? at + pause : null,
      responseStatus: status,
      milliseconds: Math.max(0, at - begunAt),
      at,
      isGone: status === gone,
      failingBefore: at - failingMilliseconds,
    },
    fault: isDelivered ? undefined : (fault ?? `status ${status}`),
  };
}

async function sent(
  delivery: ClaimedDelivery,
  data: string,
  { targets, send, now }: AttemptParts,
): Promise<{ readonly status: number | null; readonly fault?: string }> {
  try {
    const target = targets.open(delivery.sealedTarget, delivery);
    const url = new URL(target.url);
    const body = `{"type":${JSON.stringify(delivery.type)},"timestamp":"${formatTime(delivery.createdAt)}","data":${data}}`;
    const headers = signedHeaders(target, delivery.deliveryId, body, now());
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    return { status: await send(url, { headers, body, signal }, delivery.networks) };
  } catch (error) {
    return { status: null, fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'TimeoutError' ? `no response within ${timeoutMilliseconds / second} s` : error.message;
}
