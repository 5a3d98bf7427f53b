/**
 * Sends the deliveries that are due, on every node: a node claims each for a while, so that another one takes over if it stops. Accounts take
 * turns, and slow receivers keep only their own share of the tries under way.
 */
import type { ClaimedDelivery, DueWebhook } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';
import { type Attempted, type AttemptParts, attempt } from './attempt.ts';

/** Tries by outcome, and webhooks that were switched off. */
export interface WebhookCounts {
  delivered: number;
  postponed: number;
  failed: number;
  switchedOff: number;
}

export interface SenderParts extends AttemptParts {
  readonly store: Pick<
    Store,
    'listDueWebhooks' | 'claimWebhookDelivery' | 'settleWebhookDelivery' | 'completeWebhookDelivery'
  >;
  readonly counts: WebhookCounts;
  /** Called with each try that failed, and whether its webhook was switched off. */
  readonly onFailedTry: (delivery: ClaimedDelivery, fault: string, isOff: boolean) => void;
  /** Called with a fault of the store or the program. */
  readonly onFault: (error: unknown) => void;
}

export interface Sender {
  /** Looks for due deliveries, now and at intervals. */
  start(): void;
  /** Looks soon, since something may be due. */
  wake(): void;
  /** Starts no more tries, and resolves when none is under way. */
  close(): Promise<void>;
}

/** Longer than a try takes, with storing its result. Another node takes over from one that stopped after this and one look. */
const claimMilliseconds = 20_000;
/** Nodes look for each other's events this often. */
const pollMilliseconds = 1_000;
/** The least time between two looks. */
const pauseMilliseconds = 10;
/** Tries under way on one node: in all, of one account, and to one host and port. */
const runningMax = 64;
/** A quarter of all, so at most four accounts are busy. Another quarter is for accounts that have none. */
const ofAccountMax = 16;
const ofHostMax = 4;
const bounds = { inFlightMax: ofHostMax, perMinuteMax: 600 };
const dueMax = 200;

/** Counts tries under way by name. */
class Running {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  namesWith(countMin: number): readonly string[] {
    return [...this.#counts].flatMap(([name, count]) => (count >= countMin ? [name] : []));
  }

  add(name: string, count: 1 | -1): void {
    const total = this.of(name) + count;
    if (total === 0) this.#counts.delete(name);
    else this.#counts.set(name, total);
  }
}

/** Returns the sender. It does nothing before it is started. */
export function createSender(parts: SenderParts): Sender {
  const { store, now, onFault } = parts;
  const running = new Set<Promise<void>>();
  const [ofAccount, ofHost] = [new Running(), new Running()];
  let [isStarted, isClosed, isWoken] = [false, false, false];
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const mayBegin = ({ accountId, host }: DueWebhook): boolean =>
    running.size < (ofAccount.of(accountId) === 0 ? runningMax : runningMax - ofAccountMax) &&
    ofAccount.of(accountId) < ofAccountMax &&
    ofHost.of(host) < ofHostMax;

  function begin(webhook: DueWebhook): void {
    ofAccount.add(webhook.accountId, 1);
    ofHost.add(webhook.host, 1);
    const work = tryNext(parts, webhook, wake)
      .catch(onFault)
      .finally(() => {
        running.delete(work);
        ofAccount.add(webhook.accountId, -1);
        ofHost.add(webhook.host, -1);
        wake();
      });
    running.add(work);
  }

  /** Starts the tries that are due, and looks again later. */
  async function look(): Promise<void> {
    isWoken = false;
    let nextAt = Number.POSITIVE_INFINITY;
    try {
      const found = await store.listDueWebhooks(now(), dueMax, ofAccount.namesWith(ofAccountMax));
      nextAt = found.nextAt ?? nextAt;
      for (const webhook of found.due) if (!isClosed && mayBegin(webhook)) begin(webhook);
    } catch (error) {
      onFault(error);
    }
    looking = undefined;
    // A webhook that is due now, and has not begun, waits for a try to end.
    const soon = isWoken ? pauseMilliseconds : Math.max(nextAt - now(), 0) || pollMilliseconds;
    schedule(Math.max(pauseMilliseconds, Math.min(soon, pollMilliseconds)));
  }

  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look();
    }, milliseconds).unref();
  }

  function wake(): void {
    if (!isStarted || isClosed || isWoken) return;
    isWoken = true;
    if (looking === undefined) schedule(pauseMilliseconds);
  }

  return {
    start() {
      isStarted = true;
      schedule(pauseMilliseconds);
    },
    wake,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(running);
    },
  };
}

/** Claims and tries the next delivery of a webhook. `onClaimed`: the one after it may be due too. */
async function tryNext(parts: SenderParts, webhook: DueWebhook, onClaimed: () => void): Promise<void> {
  const { store, now, counts, onFailedTry } = parts;
  const claimedAt = now();
  const claim = await store.claimWebhookDelivery(webhook, claimedAt, claimedAt + claimMilliseconds, bounds);
  if (claim.kind !== 'claimed') return;
  onClaimed();
  const { delivery } = claim;
  const attempted = await attempt(delivery, parts);
  count(counts, attempted);
  const outcome = await store.settleWebhookDelivery(delivery, attempted.result);
  if (outcome === 'switched_off') counts.switchedOff += 1;
  if (attempted.fault !== undefined) onFailedTry(delivery, attempted.fault, outcome === 'switched_off');
}

function count(counts: WebhookCounts, { result: { status } }: Attempted): void {
  counts[status === 'waiting' ? 'postponed' : status] += 1;
}
