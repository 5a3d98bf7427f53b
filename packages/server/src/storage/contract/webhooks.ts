/**
 * Records of webhooks and their deliveries. Verbs of other parts store an event for each subscribed webhook in the
 * step of the change. A delivery is tried by one node at a time, which claims it for a while.
 */
import type { Environment, WebhookDeliveryStatus, WebhookDisabledReason, WebhookEvent } from '@holdfast/contract';
import type { Actor } from './audit.ts';
import type { ProjectKey } from './projects.ts';

export interface WebhookKey extends ProjectKey {
  readonly webhookId: string;
}

declare const ofSubscribers: unique symbol;

/** The ids of the webhooks that subscribe to a write, in order and comma-separated: the same text for the same webhooks. */
export type SubscriberIds = string & { readonly [ofSubscribers]: true };

/** Returns the ids of webhooks as one text. */
export const subscriberIds = (ids: readonly string[]): SubscriberIds => ids.toSorted().join(',') as SubscriberIds;

/** What a member sets. */
interface WebhookSettings {
  /** The host and port of the URL. */
  readonly host: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  /** Null: all. */
  readonly environments: readonly Environment[] | null;
  readonly enabled: boolean;
}

export interface NewWebhook extends WebhookKey, WebhookSettings {
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** The URL and secrets, encrypted; opaque to the store. */
  readonly sealedTarget: Uint8Array;
}

/** The result of a webhook's last try. */
export interface LastDelivery {
  readonly at: number;
  readonly status: WebhookDeliveryStatus;
  readonly responseStatus: number | null;
  readonly milliseconds: number;
}

export interface Webhook extends NewWebhook {
  readonly lastDelivery: LastDelivery | null;
  readonly disabledReason: WebhookDisabledReason | null;
}

/** A new target, and the one that it was made from. */
export interface TargetChange {
  readonly sealedTarget: Uint8Array;
  readonly replaces: Uint8Array;
}

export type WebhookChanges = Partial<WebhookSettings> & { readonly target?: TargetChange };

export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly type: string;
  readonly createdAt: number;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  /** Null unless it waits. */
  readonly dueAt: number | null;
  readonly responseStatus: number | null;
  readonly milliseconds: number | null;
}

/** What the last try of a delivery has sent, and what came back. */
export interface LastTry {
  /** When it was over. */
  readonly at: number;
  readonly host: string;
  /** The headers that were sent. Empty if none were, since the target could not be opened. */
  readonly sent: Readonly<Record<string, string>>;
  /** The names and values of the response's headers, bounded; null if there was no response. */
  readonly received: readonly (readonly [name: string, value: string])[] | null;
}

/** A delivery with its last try. */
export interface TriedDelivery {
  readonly delivery: WebhookDelivery;
  /** Null before the first is over. */
  readonly lastTry: LastTry | null;
  /** The event's JSON object; null once it is delivered. */
  readonly dataText: string | null;
}

/** A webhook with a due delivery. */
export interface DueWebhook {
  readonly accountId: string;
  readonly webhookId: string;
  readonly host: string;
}

/** A claimed delivery. Its id and `attempts` identify the claim. */
export interface ClaimedDelivery extends WebhookKey {
  readonly deliveryId: string;
  readonly host: string;
  readonly type: string;
  readonly environment: Environment | null;
  readonly createdAt: number;
  /** This try included. */
  readonly attempts: number;
  /** How many tries came before it since the first, or since it was retried. */
  readonly step: number;
  /** The versions before and after a change of public state; `version` alone is the number of dropped events. */
  readonly fromVersion: number | null;
  readonly version: number | null;
  /** The event's JSON object. */
  readonly dataText: string;
  readonly sealedTarget: Uint8Array;
  /** Private networks that the operator opened for the account. */
  readonly networks: readonly string[];
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly delivery: ClaimedDelivery }
  /** The receiver has as many tries as it may have. */
  | { readonly kind: 'busy'; readonly until: number }
  | { readonly kind: 'none' };

/** How much a host and port receives from the installation. */
export interface HostBounds {
  readonly inFlightMax: number;
  readonly perMinuteMax: number;
}

/** The result of a try. */
export interface TryResult {
  readonly status: WebhookDeliveryStatus;
  /** When a waiting one is tried next. */
  readonly dueAt: number | null;
  readonly responseStatus: number | null;
  readonly milliseconds: number;
  readonly at: number;
  readonly lastTry: LastTry;
  /** Whether the receiver wants no more events. */
  readonly isGone: boolean;
  /** The webhook is switched off if every try since then has failed. */
  readonly failingBefore: number;
}
