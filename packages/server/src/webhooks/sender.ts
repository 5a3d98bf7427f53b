/**
 * Sends the deliveries that are due, on every node: a node claims each for a while, so that another one takes over if it stops. Accounts take
 * turns, and slow receivers keep only their own share of the tries under way.
 */
import { createDueWork, type DueWork } from '../common/async/due-work.ts';
import type { ClaimedDelivery, DueWebhook } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';
import { type Attempted, type AttemptParts, attempt } from './attempt.ts';
import type { WebhookCounts } from './webhook-counts.ts';

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

/** Longer than a try takes, with storing its result. Another node takes over from one that stopped after this and one look. */
const claimMilliseconds = 20_000;
/** Tries under way on one node: in all, of one account, and to one host and port. */
const runningMax = 64;
/** A quarter of all, so at most four accounts are busy. Another quarter is for accounts that have none. */
const ofAccountMax = 16;
const ofHostMax = 4;
const bounds = { inFlightMax: ofHostMax, perMinuteMax: 600 };
const dueMax = 200;

/** Returns the sender. It does nothing before it is started. */
export function createSender(parts: SenderParts): DueWork {
  const { store, now, onFault } = parts;
  return createDueWork<DueWebhook>({
    runningMax,
    sharesOf: ({ accountId, host }) => [
      { name: accountId, max: ofAccountMax },
      { name: hostPrefix + host, max: ofHostMax },
    ],
    async look(busy) {
      const busyAccounts = busy.filter((name) => !name.startsWith(hostPrefix));
      const { due, nextAt } = await store.listDueWebhooks(now(), dueMax, busyAccounts);
      return { due, nextIn: nextAt === undefined ? undefined : nextAt - now() };
    },
    carryOut: (webhook, wake) => tryNext(parts, webhook, wake),
    onFault,
  });
}

/** Begins the names of the shares of receivers, and no account id. */
const hostPrefix = 'host ';

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
