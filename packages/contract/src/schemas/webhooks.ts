/** Records of webhooks. */
import Type from 'typebox';
import { environments, webhookDeliveryIdPattern, webhookIdPattern } from '../identifiers.ts';
import { keysOf } from '../keys.ts';
import {
  webhookDescriptionCharactersMax,
  webhookResponseHeadersMax,
  webhooksMax,
  webhookUrlCharactersMax,
} from '../limits.ts';
import { webhookDeliveryStatuses, webhookDisabledReasons, webhookEvents } from '../webhooks.ts';
import { AuditActorBody } from './audit.ts';
import { EnvironmentName, nullable, page, set, Time, text } from './fields.ts';
import { pattern } from './patterns.ts';

export const WebhookId = Type.String({
  ...pattern(webhookIdPattern, 'the id of a webhook: wh_ followed by letters and digits'),
  description: 'Identifier of a webhook.',
});
export const WebhookDeliveryId = Type.String({
  ...pattern(webhookDeliveryIdPattern, 'the id of a delivery: msg_ followed by letters and digits'),
  description: 'Identifier of a delivery: the `webhook-id` of each of its tries.',
});

const Url = text(webhookUrlCharactersMax, {
  charactersMin: 1,
  description:
    'Where events are sent: `https:` to a public address, without a user name or fragment. Stored encrypted, and never shown again.',
});
const Description = text(webhookDescriptionCharactersMax, { description: 'What the webhook is for.' });
const Events = set(Type.Enum(keysOf(webhookEvents), { description: 'A type of event.' }), {
  minItems: 1,
  maxItems: keysOf(webhookEvents).length,
  description: 'The types of events that are sent.',
});
const Environments = nullable(
  set(EnvironmentName, {
    minItems: 1,
    maxItems: environments.length,
    description: 'The environments whose events are sent; null for all. Events without an environment are always sent.',
  }),
);
const Enabled = Type.Boolean({ description: 'Whether events are stored and sent.' });
const Milliseconds = Type.Integer({ minimum: 0, description: 'How long the receiver took.' });
const ResponseStatus = Type.Integer({ description: 'The status of its response.' });
const Secret = Type.String({
  description: 'The secret that verifies signatures: `whsec_` and base64. Shown only once, stored encrypted.',
});

export const WebhookTryBody = Type.Object({
  at: Time,
  status: Type.Enum([...webhookDeliveryStatuses], { description: 'The state of the delivery after the try.' }),
  responseStatus: nullable(ResponseStatus, 'Null if there was no response.'),
  milliseconds: Milliseconds,
});

const webhook = {
  id: WebhookId,
  host: Type.String({ description: 'The host and port of `url`.' }),
  description: Description,
  events: Events,
  environments: Environments,
  enabled: Enabled,
  createdAt: Time,
  createdBy: AuditActorBody,
  lastDelivery: nullable(WebhookTryBody, 'The last try; null before the first.'),
  disabledReason: nullable(
    Type.Enum([...webhookDisabledReasons]),
    'Why the service switched it off: the receiver replied 410 (`gone`), every try of five days failed (`failures`), or the data was restored or imported. Null while it is on, and if a member switched it off.',
  ),
};
export const WebhookBody = Type.Object(webhook, { description: 'A webhook, without its URL and secret.' });
export type WebhookBody = Type.Static<typeof WebhookBody>;
export const CreatedWebhookBody = Type.Object({ ...webhook, url: Url, secret: Secret });
export type CreatedWebhookBody = Type.Static<typeof CreatedWebhookBody>;
export const WebhookListBody = Type.Object({
  items: Type.Array(WebhookBody, { maxItems: webhooksMax, description: 'All webhooks of the project, oldest first.' }),
});
export const CreateWebhookBody = Type.Object({
  url: Url,
  description: Type.Optional(Description),
  events: Events,
  environments: Type.Optional(Environments),
  enabled: Type.Optional(Enabled),
});
export type CreateWebhookBody = Type.Static<typeof CreateWebhookBody>;
export const UpdateWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    environments: Type.Optional(Environments),
    enabled: Type.Optional(Enabled),
  },
  { description: 'The fields to change. Switching a webhook on clears its failures.' },
);
export type UpdateWebhookBody = Type.Static<typeof UpdateWebhookBody>;
export const RotateWebhookSecretBody = Type.Object({
  now: Type.Optional(
    Type.Boolean({ description: 'Whether the old secret stops signing now, instead of in 24 hours. Default: false.' }),
  ),
});
export const WebhookSecretBody = Type.Object({ secret: Secret });
const delivery = {
  id: WebhookDeliveryId,
  type: Type.String({ description: 'The type of the event.' }),
  at: Time,
  status: Type.Enum([...webhookDeliveryStatuses], {
    description: '`failed` after the last try. A failed delivery is kept for seven days, and can be retried.',
  }),
  attempts: Type.Integer({ minimum: 0, description: 'How many times it was tried.' }),
  nextAt: nullable(Time, 'When it is tried next. Null if it is not waiting.'),
  responseStatus: nullable(ResponseStatus, 'The last response status; null if there was no response.'),
  milliseconds: nullable(Milliseconds, 'How long the receiver took at the last try.'),
};
export const WebhookDeliveryBody = Type.Object(delivery, { description: 'An event for one webhook.' });
export type WebhookDeliveryBody = Type.Static<typeof WebhookDeliveryBody>;
export const WebhookDeliveryListBody = page(WebhookDeliveryBody, 'The deliveries of the last seven days, newest first.');

const HeaderValue = Type.String({ description: 'The value of a header.' });
export const WebhookRequestHeadersBody = Type.Object(
  {
    'content-type': HeaderValue,
    'user-agent': HeaderValue,
    'webhook-id': HeaderValue,
    'webhook-timestamp': HeaderValue,
    'webhook-signature': HeaderValue,
  },
  { description: 'The headers of a try.' },
);
export const WebhookRequestBody = Type.Object(
  {
    host: Type.String({ description: 'The host and port of the URL at the time.' }),
    headers: WebhookRequestHeadersBody,
    body: nullable(Type.String({ description: 'The body, as it was signed.' }), 'Null once the event is delivered.'),
  },
  { description: 'What a try has sent.' },
);
export const WebhookHeaderBody = Type.Object(
  {
    name: Type.String({ description: 'The name in lower case.' }),
    value: Type.String({ description: 'The value as received; what exceeds the limit is cut off.' }),
  },
  { description: 'A header of a response.' },
);
export const WebhookResponseBody = Type.Object(
  {
    status: ResponseStatus,
    headers: Type.Array(WebhookHeaderBody, {
      maxItems: webhookResponseHeadersMax,
      description: 'The headers in the order of the response.',
    }),
    at: Time,
  },
  { description: 'The head of a response.' },
);
export const WebhookDeliveryDetailBody = Type.Object({
  ...delivery,
  request: nullable(WebhookRequestBody, 'The last try. Null until it is over, and for tries of earlier versions.'),
  response: nullable(WebhookResponseBody, 'The response to the last try; null if there was none.'),
});
export type WebhookDeliveryDetailBody = Type.Static<typeof WebhookDeliveryDetailBody>;

/** All records of webhooks. */
export const webhookBodies = {
  CreatedWebhookBody,
  CreateWebhookBody,
  RotateWebhookSecretBody,
  UpdateWebhookBody,
  WebhookBody,
  WebhookDeliveryBody,
  WebhookDeliveryDetailBody,
  WebhookDeliveryListBody,
  WebhookHeaderBody,
  WebhookListBody,
  WebhookRequestBody,
  WebhookRequestHeadersBody,
  WebhookResponseBody,
  WebhookSecretBody,
  WebhookTryBody,
};
