/** Logs failed tries of webhooks, of which a receiver can cause any number. */
import type { ClaimedDelivery } from '../storage/contract/webhooks.ts';

/** The least time between two lines about failed tries. */
const logMilliseconds = 60_000;

type LogLine = (values: Readonly<Record<string, unknown>>, message: string) => void;

export interface FailureLog {
  readonly info: LogLine;
  readonly warn: LogLine;
}

/** Logs the first failed try, then at most one line a minute with the number of failures, and each webhook that is switched off. `now` is in milliseconds. */
export function createFailureLog(log: FailureLog, now: () => number) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return ({ accountId, slug, webhookId, host, type }: ClaimedDelivery, reason: string, isOff: boolean): void => {
    failures += 1;
    const webhook = { accountId, projectSlug: slug, webhookId, host };
    if (isOff) log.warn({ ...webhook, reason }, 'a webhook was switched off');
    if (now() < loggedAt + logMilliseconds) return;
    log.info({ ...webhook, type, reason, failures }, 'tries of webhooks failed');
    loggedAt = now();
    failures = 0;
  };
}
