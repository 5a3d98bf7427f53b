/** Logs failed tries of webhooks, of which a receiver can cause any number. */
import { onceAMinute } from '../common/time/once-a-minute.ts';
import type { ClaimedDelivery } from '../storage/contract/webhooks.ts';

type LogLine = (values: Readonly<Record<string, unknown>>, message: string) => void;

export interface FailureLog {
  readonly info: LogLine;
  readonly warn: LogLine;
}

/** Logs the first failed try, then at most one line a minute with the number of failures, and each webhook that is switched off. `now` is in milliseconds. */
export function createFailureLog(log: FailureLog, now: () => number) {
  const failuresToLog = onceAMinute(now);
  return ({ accountId, slug, webhookId, host, type }: ClaimedDelivery, reason: string, isOff: boolean): void => {
    const webhook = { accountId, projectSlug: slug, webhookId, host };
    if (isOff) log.warn({ ...webhook, reason }, 'a webhook was switched off');
    const failures = failuresToLog();
    if (failures !== undefined) log.info({ ...webhook, type, reason, failures }, 'webhook attempts failed');
  };
}
