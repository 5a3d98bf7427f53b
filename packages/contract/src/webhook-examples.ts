/** An example of each record of webhooks. */
const webhook = {
  id: 'wh_4kTq8WcR2xLm9VbN3hYdZp',
  host: 'hooks.example.com',
  description: 'Purges the CDN',
  events: ['public_state.changed' as const, 'api_key.revoked' as const],
  environments: ['production' as const],
  enabled: true,
  createdAt: '2026-03-01T09:30:00.000Z',
  createdBy: { kind: 'developer' as const, id: 'mem_6Rq1TzWc8KdNf3HjVx5Ysa', name: 'Ada' },
  lastDelivery: { at: '2026-03-02T18:04:11.512Z', status: 'delivered' as const, responseStatus: 204, milliseconds: 87 },
  disabledReason: null,
};
const { description, events, environments, enabled } = webhook;
const url = 'https://hooks.example.com/holdfast';
const secret = 'whsec_Yh7bS0mQ3xJk9pVrT2wZ5cN8eLf1aGd4uXo6iHjKqRs=';
const delivery = {
  id: 'msg_2pWm7ZcV9bXk4LdF6gHjQs',
  type: 'public_state.changed',
  at: '2026-03-02T18:04:11.425Z',
  status: 'delivered' as const,
  attempts: 1,
  nextAt: null,
  responseStatus: 204,
  milliseconds: 87,
};
const request = {
  host: 'hooks.example.com:443',
  headers: {
    'content-type': 'application/json',
    'user-agent': 'holdfast',
    'webhook-id': delivery.id,
    'webhook-timestamp': '1772474651',
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  body: null,
};
const header = { name: 'server', value: 'nginx' };
const response = { status: 204, headers: [header], at: '2026-03-02T18:04:11.512Z' };

export const webhookExamples = {
  WebhookBody: webhook,
  CreateWebhookBody: { url, description, events, environments, enabled },
  CreatedWebhookBody: { ...webhook, lastDelivery: null, url, secret },
  UpdateWebhookBody: { description: 'Purges the CDN', enabled: true },
  WebhookTryBody: webhook.lastDelivery,
  WebhookListBody: { items: [webhook] },
  RotateWebhookSecretBody: { now: false },
  WebhookSecretBody: { secret },
  WebhookDeliveryBody: delivery,
  WebhookHeaderBody: header,
  WebhookRequestHeadersBody: request.headers,
  WebhookRequestBody: request,
  WebhookResponseBody: response,
  WebhookDeliveryDetailBody: { ...delivery, request, response },
  WebhookDeliveryListBody: { items: [delivery], cursor: null, hasMore: false },
};
