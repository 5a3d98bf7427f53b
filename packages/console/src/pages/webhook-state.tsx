/** Whether a webhook is on, and what became of a delivery. */
import type { WebhookDeliveryStatus } from '@holdfast/contract';
import type { Webhook } from '../api/webhooks.ts';
import { useWebhookTexts } from '../texts/webhooks.ts';

const kinds: Readonly<Record<WebhookDeliveryStatus, string>> = { delivered: 'good', waiting: 'warn', failed: 'bad' };

export function DeliveryStatus({ status }: { status: WebhookDeliveryStatus }) {
  const w = useWebhookTexts();
  return <span className={`badge ${kinds[status]}`}>{w.statuses[status]}</span>;
}

/** On or off; if the service switched it off, why. */
export function SwitchedOff({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  const w = useWebhookTexts();
  if (enabled) return <span className="badge good">{w.on}</span>;
  if (disabledReason === null) return <span className="badge">{w.off}</span>;
  return <span className="badge bad">{`${w.off}: ${w.reasonsShort[disabledReason]}`}</span>;
}
