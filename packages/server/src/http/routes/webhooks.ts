/** Webhooks on the wire. @see docs/contract.md §8.13 */
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { type Webhooks, webhookDeliveryBody } from '../../webhooks/webhooks.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply } from '../replies/reply.ts';
import { pageBody, parsePageRequest, single } from '../wire/page.ts';

type WebhookOperationId =
  | 'listWebhooks'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'readWebhookDelivery'
  | 'retryWebhookDelivery';

/** The handlers of webhooks. Responses name people or show secrets: intermediaries must not cache them. */
export function webhookHandlers(webhooks: Webhooks): HandlersOf<WebhookOperationId> {
  return {
    listWebhooks: async ({ params }) => jsonReply(200, await webhooks.list(params), neverKept),
    createWebhook: async ({ params, body, by }) => jsonReply(201, await webhooks.create(by(), params, body), neverKept),
    updateWebhook: async ({ params, body, by }) => jsonReply(200, await webhooks.update(by(), params, body), neverKept),
    deleteWebhook: async ({ params, by }) => {
      await webhooks.delete(by(), params);
      return emptyReply(204, neverKept);
    },
    rotateWebhookSecret: async ({ params, body, by }) =>
      jsonReply(200, await webhooks.rotate(by(), params, body.now ?? false), neverKept),
    testWebhook: async ({ params }) => {
      await webhooks.test(params);
      return emptyReply(202, neverKept);
    },
    listWebhookDeliveries: async ({ params, query }) => {
      const form = parseFormText(query);
      const status = single(form, 'status');
      const scope = `deliveries of ${params.accountId}/${params.slug}/${params.webhookId} ${status ?? ''}`;
      const page = await webhooks.deliveries(params, parsePageRequest(form, scope), status);
      return jsonReply(200, pageBody(page, scope, webhookDeliveryBody), neverKept);
    },
    readWebhookDelivery: async ({ params }) =>
      jsonReply(200, await webhooks.delivery(params, params.deliveryId), neverKept),
    retryWebhookDelivery: async ({ params }) => {
      await webhooks.retry(params, params.deliveryId);
      return emptyReply(202, neverKept);
    },
  };
}
