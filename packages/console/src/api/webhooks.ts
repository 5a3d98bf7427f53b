/** Reads a project's webhooks and their deliveries, with their labels and whether they fail. */
import type { WebhookDeliveryStatus } from '@holdfast/contract';
import type { CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { cursorPaging, type ProjectKey, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';

export type Webhook = CallResult<'listWebhooks'>['items'][number];
export type Delivery = CallResult<'listWebhookDeliveries'>['items'][number];

export type DeliveryDetail = CallResult<'readWebhookDelivery'>;

export const hostOf = ({ host }: Pick<Webhook, 'host'>): string => host.replace(/:443$/, '');

/** The label of a webhook: its description, or else its host. */
export const webhookName = (webhook: Webhook): string => webhook.description || hostOf(webhook);

/** Whether the last try of a webhook that is on has failed. */
export const isFailing = ({ enabled, lastDelivery }: Webhook): boolean =>
  enabled && lastDelivery !== null && lastDelivery.status !== 'delivered';

export interface WebhookKey extends ProjectKey {
  readonly webhookId: string;
}

export const webhooksQuery = (project: ProjectKey) =>
  queryOptions({
    queryKey: keyOf('listWebhooks', project),
    refetchInterval: 15_000,
    queryFn: async () => (await call('listWebhooks', { params: project })).items,
  });

export const deliveriesQuery = (key: WebhookKey, status: WebhookDeliveryStatus | undefined) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listWebhookDeliveries', key, status),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => call('listWebhookDeliveries', { params: key, query: { status, cursor: pageParam } }),
  });

export const deliveryQuery = (key: WebhookKey, deliveryId: string) =>
  queryOptions({
    queryKey: keyOf('readWebhookDelivery', key, deliveryId),
    refetchInterval: 5_000,
    queryFn: () => call('readWebhookDelivery', { params: { ...key, deliveryId } }),
  });

/** Reads the webhooks again, and the deliveries of one. */
export const forgetWebhook = ({ accountId, slug, webhookId }: WebhookKey): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries(webhooksQuery({ accountId, slug })),
    queryClient.invalidateQueries({ queryKey: keyOf('listWebhookDeliveries', { accountId, slug, webhookId }) }),
    queryClient.invalidateQueries({ queryKey: keyOf('readWebhookDelivery', { accountId, slug, webhookId }) }),
  ]);
