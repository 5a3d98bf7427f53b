/**
 * The part of the storage contract for webhooks and their deliveries. Verbs of other parts store an event for each subscribed webhook in the
 * step of the change. A delivery is tried by one node at a time, which claims it for a while.
 */
import type { Environment, WebhookDeliveryStatus, WebhookDisabledReason, WebhookEvent } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { Actor, ChangedBy } from './audit-store.ts';
import type { Page, PageRequest, ProjectKey } from './management-store.ts';

export interface WebhookKey extends ProjectKey {
  readonly webhookId: string;
}

/** What a member sets. */
export interface WebhookSettings {
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
  /** Whether the receiver wants no more events. */
  readonly isGone: boolean;
  /** The webhook is switched off if every try since then has failed. */
  readonly failingBefore: number;
}

export interface WebhookStore {
  /** Creates a webhook, unless the project already has `webhooksMax`. This is an access change of the project. */
  createWebhook(by: ChangedBy, webhook: NewWebhook, webhooksMax: number): Promise<'created' | 'no_project' | 'too_many'>;
  /** All webhooks of a project, oldest first; undefined if the project does not exist. */
  listWebhooks(project: ProjectKey): Awaitable<readonly Webhook[] | undefined>;
  findWebhook(key: WebhookKey): Awaitable<Webhook | undefined>;
  /**
   * Changes a webhook. `raced`: the target is no longer the one to replace, and nothing is changed. Switching on forgets the failures. This
   * is an access change of the project.
   */
  updateWebhook(by: ChangedBy, key: WebhookKey, changes: WebhookChanges): Promise<Webhook | 'absent' | 'raced'>;
  /** Replaces the target, for a new secret. */
  rotateWebhookSecret(by: ChangedBy, key: WebhookKey, target: TargetChange): Promise<'rotated' | 'absent' | 'raced'>;
  /** Deletes some deliveries of a webhook that is about to be deleted, so that its deletion is short. Returns the number deleted. */
  clearWebhookDeliveries(key: WebhookKey): Promise<number>;
  /** Deletes a webhook with the deliveries that are left. This is an access change of the project. */
  deleteWebhook(by: ChangedBy, key: WebhookKey): Promise<'deleted' | 'absent'>;
  /** Stores an event of the type `test`, even for a webhook that is off. Beyond `waitingMax`, the oldest are dropped as for any event. */
  addWebhookTest(key: WebhookKey, now: number, waitingMax?: number): Promise<'added' | 'absent'>;
  /** The newest deliveries, newest first, at most `keptMax` on all pages; undefined if there is no such webhook. */
  listWebhookDeliveries(
    key: WebhookKey,
    page: PageRequest & { readonly status: WebhookDeliveryStatus | null; readonly keptMax: number },
  ): Awaitable<Page<WebhookDelivery> | undefined>;
  /** Makes a delivery due now, unless it is being tried. A failed one starts over. */
  retryWebhookDelivery(key: WebhookKey, deliveryId: string, now: number): Promise<'retried' | 'absent' | 'delivered'>;
  /**
   * Webhooks with a delivery that is due: accounts take turns, for all hosts and for each. At most `limit`, and none of `busyAccounts`, of
   * which the first four count. `nextAt` is when the next is
   * due; undefined if none waits.
   */
  listDueWebhooks(
    now: number,
    limit: number,
    busyAccounts?: readonly string[],
  ): Awaitable<{ readonly due: readonly DueWebhook[]; readonly nextAt: number | undefined }>;
  /** Claims the next due delivery of a webhook until a time. Of parallel calls, at most one gets it. */
  claimWebhookDelivery(webhook: DueWebhook, now: number, claimedUntil: number, bounds: HostBounds): Promise<ClaimOutcome>;
  /** Stores the event of a claimed delivery once it is complete, so that all tries send the same. */
  completeWebhookDelivery(claimed: ClaimedDelivery, dataText: string): Promise<void>;
  /**
   * Stores the result of a try, and removes some older deliveries that ended likewise if more than `keptMax` (1,000 by default) have. `switched_off`: the webhook too was switched off. `lost`: the webhook was deleted, or another node has claimed
   * the delivery since.
   */
  settleWebhookDelivery(
    claimed: ClaimedDelivery,
    result: TryResult,
    keptMax?: number,
  ): Promise<'settled' | 'switched_off' | 'lost'>;
  /** Deletes some of the deliveries from before a time, and idle receivers. Returns the number deleted. */
  sweepWebhookDeliveries(before: number): Promise<number>;
  /** Sets the private networks, in CIDR notation, that an account's webhooks may reach; null for none. */
  writeWebhookNetworks(
    by: ChangedBy,
    accountId: string,
    networks: readonly string[] | null,
  ): Promise<'written' | 'no_account'>;
  /** These networks; undefined if the account does not exist. */
  readWebhookNetworks(accountId: string): Awaitable<readonly string[] | undefined>;
}
