/**
 * The webhooks of projects as their members manage them.
 *
 * @see docs/contract.md §8.13
 */

import {
  environments as allEnvironments,
  type CreatedWebhookBody,
  type CreateWebhookBody,
  type UpdateWebhookBody,
  type WebhookBody,
  type WebhookDeliveryBody,
  type WebhookDeliveryDetailBody,
  type WebhookDeliveryStatus,
  webhookDeliveriesMax,
  webhookDeliveryStatuses,
  webhooksMax,
} from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { repeatRaced } from '../common/async/repeat-raced.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull } from '../common/requests/time.ts';
import { quoted } from '../common/text/quoted.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { Page, PageRequest } from '../storage/contract/pages.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { TriedDelivery, Webhook, WebhookDelivery, WebhookKey } from '../storage/contract/webhooks.ts';
import type { Store } from '../storage/store.ts';
import { bodyOf } from './attempt.ts';
import { generateWebhookSecret, type TargetSealer, type WebhookTarget } from './target.ts';
import { hostOf, parseWebhookUrl, type UrlRules } from './url.ts';

/** How long the old secret still signs after a rotation. */
const previousMilliseconds = dayMilliseconds;
/** How long deliveries are kept. */
const keptMilliseconds = 7 * dayMilliseconds;
/** How often a change is repeated after another one of the same webhook. */
const racesMax = 5;

export interface WebhookParts extends UrlRules {
  readonly store: Store;
  readonly targets: TargetSealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when something may be due. */
  readonly wake: () => void;
}

/** The management of webhooks. */
export class Webhooks {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** Returns the webhooks of a project, oldest first. Throws `not_found` if the project does not exist. */
  async list(project: ProjectKey): Promise<{ items: WebhookBody[] }> {
    const found = await this.#parts.store.listWebhooks(project);
    if (found === undefined) throw noProject(project);
    return { items: found.map(webhookBody) };
  }

  /**
   * Creates a webhook, and returns it with its URL and secret, which cannot be read again. Throws `validation_error`, `limit_reached`,
   * `upgrade_unfinished`, or `not_found` if the project does not exist.
   */
  async create(by: ChangedBy, project: ProjectKey, body: CreateWebhookBody): Promise<CreatedWebhookBody> {
    const { store, targets } = this.#parts;
    const { url, description = '', events, environments = null, enabled = true } = body;
    const parsed = parseWebhookUrl(url, this.#parts);
    await this.#requireFinished();
    const key = { ...project, webhookId: `wh_${randomIdentifier()}` };
    const secret = generateWebhookSecret();
    const webhook = {
      ...key,
      host: hostOf(parsed),
      description,
      events,
      environments: inOrder(environments),
      enabled,
      createdAt: by.at,
      createdBy: by.actor,
      sealedTarget: targets.seal({ url, secret }, key),
    };
    const outcome = await store.createWebhook(by, webhook, webhooksMax);
    if (outcome === 'no_project') throw noProject(project);
    if (outcome === 'too_many') {
      throw new Refusal('limit_reached', `the project has ${webhooksMax} webhooks: delete one first`);
    }
    return { ...webhookBody({ ...webhook, lastDelivery: null, disabledReason: null }), url, secret };
  }

  /** Changes a webhook. Throws `validation_error`, `upgrade_unfinished` or `not_found`. */
  async update(by: ChangedBy, key: WebhookKey, body: UpdateWebhookBody): Promise<WebhookBody> {
    const { store, targets, wake } = this.#parts;
    const { url, environments, ...others } = body;
    const parsed = url === undefined ? undefined : parseWebhookUrl(url, this.#parts);
    await this.#requireFinished();
    const changes = { ...others, ...(environments !== undefined && { environments: inOrder(environments) }) };
    const changed = await this.#raced(async () => {
      if (url === undefined || parsed === undefined) return store.updateWebhook(by, key, changes);
      const { webhook, target } = await this.#opened(key);
      const sealedTarget = targets.seal({ ...target, url }, key);
      const replacement = { sealedTarget, replaces: webhook.sealedTarget };
      return store.updateWebhook(by, key, { ...changes, host: hostOf(parsed), target: replacement });
    });
    if (changed === 'absent') throw noWebhook(key);
    wake();
    return webhookBody(changed);
  }

  /** Deletes a webhook. Throws `upgrade_unfinished` or `not_found`. */
  async delete(by: ChangedBy, key: WebhookKey): Promise<void> {
    const { store } = this.#parts;
    await this.#requireFinished();
    while (await store.clearWebhookDeliveries(key));
    if ((await store.deleteWebhook(by, key)) === 'absent') throw noWebhook(key);
  }

  /** Returns a new secret. `atOnce`: the old one stops signing. Throws `upgrade_unfinished` or `not_found`. */
  async rotate(by: ChangedBy, key: WebhookKey, atOnce: boolean): Promise<{ secret: string }> {
    const { store, targets } = this.#parts;
    await this.#requireFinished();
    const secret = generateWebhookSecret();
    const outcome = await this.#raced(async () => {
      const { webhook, target } = await this.#opened(key);
      const previous = { secret: target.secret, until: by.at + previousMilliseconds };
      const next: WebhookTarget = { url: target.url, secret, ...(!atOnce && { previous }) };
      return store.rotateWebhookSecret(by, key, {
        sealedTarget: targets.seal(next, key),
        replaces: webhook.sealedTarget,
      });
    });
    if (outcome === 'absent') throw noWebhook(key);
    return { secret };
  }

  /** Stores a test event. Throws `upgrade_unfinished` or `not_found`. */
  async test(key: WebhookKey): Promise<void> {
    const { store, now, wake } = this.#parts;
    await this.#requireFinished();
    if ((await store.addWebhookTest(key, now())) === 'absent') throw noWebhook(key);
    wake();
  }

  /** Returns a page of deliveries, newest first. Throws `validation_error` for an unknown `status`, and `not_found`. */
  async deliveries(key: WebhookKey, page: PageRequest, status: string | undefined): Promise<Page<WebhookDelivery>> {
    const found = await this.#parts.store.listWebhookDeliveries(key, {
      ...page,
      status: status === undefined ? null : readStatus(status),
      keptMax: webhookDeliveriesMax,
    });
    if (found === undefined) throw noWebhook(key);
    return found;
  }

  /** Returns a delivery with its last try. Throws `not_found`. */
  async delivery(key: WebhookKey, deliveryId: string): Promise<WebhookDeliveryDetailBody> {
    const found = await this.#parts.store.findWebhookDelivery(key, deliveryId);
    if (found === undefined) throw noDelivery(deliveryId);
    return deliveryDetailBody(found);
  }

  /** Tries a delivery now. Throws `already_delivered`, `upgrade_unfinished` or `not_found`. */
  async retry(key: WebhookKey, deliveryId: string): Promise<void> {
    const { store, now, wake } = this.#parts;
    await this.#requireFinished();
    const outcome = await store.retryWebhookDelivery(key, deliveryId, now());
    if (outcome === 'absent') throw noDelivery(deliveryId);
    if (outcome === 'delivered') {
      throw new Refusal('already_delivered', `the delivery ${deliveryId} was successful: there is nothing to retry`);
    }
    wake();
  }

  #requireFinished(): Promise<void> {
    return requireFinishedUpgrade(this.#parts.store, 'webhooks');
  }

  async #opened(key: WebhookKey): Promise<{ readonly webhook: Webhook; readonly target: WebhookTarget }> {
    const webhook = await this.#parts.store.findWebhook(key);
    if (webhook === undefined) throw noWebhook(key);
    return { webhook, target: this.#parts.targets.open(webhook.sealedTarget, key) };
  }

  /** Repeats a change that another change of the same webhook has overtaken. */
  async #raced<Outcome>(change: () => Promise<Outcome | 'raced'>): Promise<Outcome> {
    const outcome = await repeatRaced(racesMax, change);
    if (outcome !== 'raced') return outcome;
    throw new Refusal('service_unavailable', 'others change this webhook at the same time: try again', {
      retryAfterSeconds: 1,
    });
  }
}

const inOrder = (environments: UpdateWebhookBody['environments']) =>
  environments == null ? null : allEnvironments.filter((environment) => environments.includes(environment));

function readStatus(text: string): WebhookDeliveryStatus {
  const status = webhookDeliveryStatuses.find((each) => each === text);
  if (status !== undefined) return status;
  const known = webhookDeliveryStatuses.join(', ');
  throw new Refusal('validation_error', `query parameter status: ${quoted(text)} must be one of ${known}`);
}

function webhookBody(webhook: Webhook): WebhookBody {
  const { webhookId, host, description, events, environments, enabled, createdAt, createdBy, disabledReason } = webhook;
  const { kind, id, name } = createdBy;
  if (kind === 'end_user') throw new Error('players create no webhooks');
  const last = webhook.lastDelivery;
  return {
    id: webhookId,
    host,
    description,
    events: [...events],
    environments: environments && [...environments],
    enabled,
    createdAt: formatTime(createdAt),
    createdBy: { kind, id, name },
    lastDelivery: last && { ...last, at: formatTime(last.at) },
    disabledReason,
  };
}

/** Returns a delivery in the form of the API. */
export function webhookDeliveryBody(delivery: WebhookDelivery): WebhookDeliveryBody {
  const { deliveryId, type, createdAt, status, attempts, dueAt, responseStatus, milliseconds } = delivery;
  return {
    id: deliveryId,
    type,
    at: formatTime(createdAt),
    status,
    attempts,
    nextAt: formatTimeOrNull(dueAt),
    responseStatus,
    milliseconds,
  };
}

function deliveryDetailBody({ delivery, lastTry, dataText }: TriedDelivery): WebhookDeliveryDetailBody {
  const { deliveryId, type, createdAt, responseStatus: status } = delivery;
  const shown = webhookDeliveryBody(delivery);
  if (lastTry === null) return { ...shown, request: null, response: null };
  const { at, host, sent, received } = lastTry;
  const headers = {
    'content-type': sent['content-type'] ?? '',
    'user-agent': sent['user-agent'] ?? '',
    'webhook-id': deliveryId,
    'webhook-timestamp': sent['webhook-timestamp'] ?? '',
    'webhook-signature': sent['webhook-signature'] ?? '',
  };
  const body = dataText === null ? null : bodyOf(type, createdAt, dataText);
  const response = received &&
    status !== null && { status, headers: received.map(([name, value]) => ({ name, value })), at: formatTime(at) };
  return { ...shown, request: { host, headers, body }, response: response || null };
}

const noDelivery = (deliveryId: string): Refusal =>
  new Refusal('not_found', `the webhook has no delivery ${quoted(deliveryId)}`);
const noWebhook = ({ webhookId }: WebhookKey): Refusal =>
  new Refusal('not_found', `the project has no webhook ${quoted(webhookId)}`);

/** Deletes some of the deliveries made more than seven days before `now`. Returns the number deleted. */
export const forgetDeliveries = (store: Pick<Store, 'sweepWebhookDeliveries'>, now: number): Promise<number> =>
  store.sweepWebhookDeliveries(now - keptMilliseconds);
