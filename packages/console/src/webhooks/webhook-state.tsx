/** Whether a webhook works, and what became of a delivery. */
import { type WebhookDeliveryStatus, webhookTriesMax } from '@holdfast/contract';
import { type Delivery, hostOf, isFailing, type Webhook } from '../api/webhooks.ts';
import { textsOf } from '../texts/index.ts';
import type { WebhookTexts } from '../texts/webhooks-en.ts';
import { plain } from '../ui/plain-text.ts';
import { Ago } from '../ui/table.tsx';

const [useWebhookTexts] = textsOf('webhooks');

const kinds = { waiting: 'warn', failed: 'bad' };

type Attempt = Pick<Delivery, 'status' | 'responseStatus'> & Partial<Pick<Delivery, 'attempts'>>;

/** The host of a receiver, without the port of https. */
export const Host = ({ of }: { of: Webhook }) => <bdi className="webhook-host">{plain(hostOf(of))}</bdi>;

/** What became of a delivery or an attempt: calm if it was delivered, otherwise with the reason. `attempts`: if known. */
export function DeliveryResult({ result: { status, responseStatus, attempts } }: { result: Attempt }) {
  const w = useWebhookTexts();
  const isTried = attempts !== 0;
  return (
    <span className="webhook-result">
      <span className={status === 'delivered' ? undefined : `badge ${isTried ? kinds[status] : ''}`}>
        {resultName(w, status, attempts)}
      </span>
      {isTried && (responseStatus !== null || status !== 'delivered') && <small>{responseStatus ?? w.noResponse}</small>}
    </span>
  );
}

function resultName(w: WebhookTexts, status: WebhookDeliveryStatus, attempts: number | undefined): string {
  if (status !== 'waiting') return w.results[status];
  if (attempts === 0) return w.queued;
  // A delivery that was begun again by hand has more attempts than these.
  return attempts === undefined || attempts > webhookTriesMax ? w.retrying : w.retryingOf(attempts, webhookTriesMax);
}

/** The service waits this long for a response. */
const timeoutMs = 15_000;

/** Why an attempt failed, and what to do about it. */
export function causeText(
  w: WebhookTexts,
  { responseStatus, milliseconds }: Pick<Delivery, 'responseStatus' | 'milliseconds'>,
) {
  if (responseStatus === null) return (milliseconds ?? 0) >= timeoutMs ? w.causes.timeout : w.causes.unreachable;
  const { redirected, refused, failed } = w.causes;
  return (responseStatus < 400 ? redirected : responseStatus < 500 ? refused : failed)(String(responseStatus));
}

/** When a delivery is tried next. */
export function NextTry({ at }: { at: string }) {
  const w = useWebhookTexts();
  return Date.parse(at) <= Date.now() ? w.dueNow : <Ago time={at} />;
}

/** On or off, and whether its attempts fail; if the service switched it off, why. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const w = useWebhookTexts();
  const { enabled, disabledReason, lastDelivery } = webhook;
  if (isFailing(webhook)) {
    return <span className="badge bad">{w.failing(String(lastDelivery?.responseStatus ?? w.noResponse))}</span>;
  }
  if (enabled) return <span className="badge good">{w.on}</span>;
  if (disabledReason === null) return <span className="badge">{w.off}</span>;
  return <span className="badge bad">{`${w.off}: ${w.reasonsShort[disabledReason]}`}</span>;
}
