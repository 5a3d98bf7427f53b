/** Why the last attempt of a webhook failed, and what helps: another address, or trying all deliveries again. */
import { ApiError } from '@holdfast/contract/call';
import { useState } from 'react';
import { call } from '../api/http.ts';
import { forgetWebhook, type Webhook, type WebhookKey } from '../api/webhooks.ts';
import { textsOf } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { toast } from '../ui/toasts.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { causeText } from './webhook-state.tsx';

const [useWebhookTexts] = textsOf('webhooks');

/**
 * Retries the newest undelivered events one after the other: a page of waiting and a page of failed deliveries. Returns how many were taken,
 * and throws the first fault if none was.
 */
async function retryAll(webhookKey: WebhookKey): Promise<number> {
  const pages = await Promise.all(
    (['waiting', 'failed'] as const).map((status) =>
      call('listWebhookDeliveries', { params: webhookKey, query: { status } }),
    ),
  );
  let taken = 0;
  const faults: unknown[] = [];
  for (const { id } of pages.flatMap(({ items }) => items)) {
    try {
      await call('retryWebhookDelivery', { params: { ...webhookKey, deliveryId: id } });
      taken++;
    } catch (error) {
      const isDelivered = error instanceof ApiError && error.code === 'already_delivered'; // in the meantime
      if (!isDelivered) faults.push(error);
    }
  }
  await forgetWebhook(webhookKey);
  if (taken === 0 && faults.length > 0) throw faults[0];
  return taken;
}

export function Failing({ webhookKey, webhook }: { webhookKey: WebhookKey; webhook: Webhook }) {
  const w = useWebhookTexts();
  const [isChanging, setChanging] = useState(false);
  const retry = useAction(async () => {
    toast(w.retriedAll(await retryAll(webhookKey)));
  });
  if (webhook.lastDelivery === null) return null;
  return (
    <>
      <Notice
        kind="bad"
        title={w.failingTitle}
        action={
          <div className="buttons failing-actions">
            <Button onClick={() => setChanging(true)}>{w.changeAddress}</Button>
            <Button isBusy={retry.isBusy} onClick={() => retry.run()}>
              {w.retryAll}
            </Button>
          </div>
        }
      >
        {causeText(w, webhook.lastDelivery)}
      </Notice>
      <Fault error={retry.fault} />
      {isChanging && <EditWebhook project={webhookKey} webhook={webhook} onClose={() => setChanging(false)} />}
    </>
  );
}
