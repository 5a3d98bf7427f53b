/** Counts of webhooks, for the metrics. */
export class WebhookCounts {
  /** Tries that a receiver accepted. */
  delivered = 0;
  /** Tries that failed, so that the delivery is tried again. */
  postponed = 0;
  /** Deliveries that failed for good. */
  failed = 0;
  /** Webhooks that were switched off. */
  switchedOff = 0;
}
