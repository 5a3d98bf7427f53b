/** The queue of a webhook's deliveries: storing events, and when the next is due. */

import { type WebhookEvent, webhookEventsOfEnvironments, webhookWaitingMax } from '@holdfast/contract';
import { randomIdentifier } from '../../../common/ids/base62.ts';
import { withoutAddress } from '../../../common/text/shown-text.ts';
import type { ChangedBy } from '../../contract/audit.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import type { Author, PublicStateKey } from '../../contract/public-states.ts';
import { subscriberIds } from '../../contract/webhooks.ts';
import { integerAt, type Row, textAt } from '../../rows/columns.ts';
import { type environmentNames, environmentNumbers } from '../../rows/environment-numbers.ts';
import { all, first, type Steps, type Value } from '../steps.ts';

/** SQL: the condition on a row of a webhook, with the account `$1` and the webhook `$2`. */
export const ofWebhook = 'account_id = $1 AND webhook_id = $2';

/** The `document` of an `events.dropped`. */
const droppedDocument = -1;

/**
 * SQL: whether a row of `webhook_deliveries` may be tried once it is due. Tests are sent even while a webhook is off. A change of public
 * state waits behind the change before it. `webhooks` is the row of its webhook.
 */
export const isSendable = `webhook_deliveries.status = 'waiting' AND (webhooks.enabled = 1 OR webhook_deliveries.type = 'test')
  AND (webhook_deliveries.from_version IS NULL OR NOT EXISTS (
    SELECT 1 FROM webhook_deliveries AS older
    WHERE older.account_id = webhook_deliveries.account_id AND older.webhook_id = webhook_deliveries.webhook_id
      AND older.document = webhook_deliveries.document AND older.version < webhook_deliveries.version))`;

/** Updates when the next delivery of a webhook is due: never before `earliest`, so that webhooks take turns. */
export function* nextTime(accountId: string, webhookId: string, earliest = 0): Steps<void> {
  // No row: nothing waits, or there is no such webhook.
  const next = yield* first(
    `SELECT due_at FROM webhook_deliveries JOIN webhooks USING (account_id, webhook_id)
     WHERE webhook_deliveries.account_id = $1 AND webhook_deliveries.webhook_id = $2 AND ${isSendable}
     ORDER BY due_at LIMIT 1`,
    [accountId, webhookId],
  );
  // One row, unless there is no such webhook.
  yield* all(`UPDATE webhooks SET next_at = $3 WHERE ${ofWebhook}`, [
    accountId,
    webhookId,
    next === undefined ? null : Math.max(integerAt(next, 'due_at'), earliest),
  ]);
}

/** An event, for each subscribed webhook of a project. */
export interface ProjectEvent {
  readonly type: WebhookEvent;
  readonly environment?: (typeof environmentNames)[number];
  readonly at: number;
  /** Members of the event besides those that name the project and the environment. Never a save or a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The author of an event that has no history: as in the audit trail, but never an email address. */
export const eventAuthor = ({ actor: { kind, id, name } }: ChangedBy) => ({
  kind,
  id,
  name: name === null ? null : withoutAddress(name),
});

const eventsOfEnvironments: readonly string[] = webhookEventsOfEnvironments;

/** SQL: whether a row of `webhook_deliveries` takes in the changes of its document until it is first tried. */
export const isCollecting = "from_version IS NOT NULL AND attempts = 0 AND status = 'waiting'";

/** A webhook that subscribes to an event. */
interface Subscriber {
  readonly webhookId: string;
  /** Whether a change of the document waits that takes in what comes. */
  readonly isCollecting: boolean;
}

/** The webhooks of a project that subscribe to an event of a document, if it has one. */
function* subscribers(
  { accountId, slug }: ProjectKey,
  event: Pick<ProjectEvent, 'type' | 'environment'>,
  document: number | null = null,
): Steps<readonly Subscriber[]> {
  // At most ten rows. In the same order everywhere, to avoid deadlocks.
  const rows = yield* all(
    `SELECT webhook_id, events, environments, CASE WHEN EXISTS (
         SELECT 1 FROM webhook_deliveries WHERE webhook_deliveries.account_id = $1
           AND webhook_deliveries.webhook_id = webhooks.webhook_id AND document = $3 AND ${isCollecting})
       THEN 1 ELSE 0 END AS is_collecting
     FROM webhooks WHERE account_id = $1 AND slug = $2 AND enabled = 1 ORDER BY webhook_id`,
    [accountId, slug, document],
  );
  return rows
    .filter((row) => subscribes(row, event))
    .map((row) => ({ webhookId: textAt(row, 'webhook_id'), isCollecting: integerAt(row, 'is_collecting') === 1 }));
}

/** Stores an event for each webhook of the project that subscribes to it, if any. */
export function* storeEvent(project: ProjectKey, event: ProjectEvent): Steps<void> {
  for (const { webhookId } of yield* subscribers(project, event)) yield* add(project, webhookId, event);
}

/** Stores the first state of a guest in a project as the creation of a player. */
export function* storeNewGuest(project: ProjectKey, endUserId: string, at: number): Steps<void> {
  yield* storeEvent(project, { type: 'player.created', at, data: { endUserId } });
}

/** A write of public state. */
export interface StateChange {
  /** The version before; 0 if there was no document. */
  readonly from: number;
  readonly version: number;
  readonly author: Author | null;
  readonly comment: string | null;
  readonly at: number;
}

/**
 * Stores a write of public state for each webhook that subscribes to it. A change that was not tried yet takes it in, and stays as it is: its
 * claim finds the last version (`EngineSql.endCollecting`). Returns the webhooks as `subscriberIds`: until a claim, later writes need not look.
 */
export function* storeStateChange(key: PublicStateKey, change: StateChange): Steps<string> {
  const { from, version, author, comment, at } = change;
  const { environment } = key;
  const document = environmentNumbers[environment];
  const type = 'public_state.changed';
  const found = yield* subscribers(key, { type, environment }, document);
  const data = { environment, author, comment };
  for (const { webhookId, isCollecting } of found)
    if (!isCollecting) yield* insert(key, webhookId, { type, at, environment: document, document, from, version, data });
  return subscriberIds(found.map(({ webhookId }) => webhookId));
}

function subscribes(row: Row, { type, environment }: Pick<ProjectEvent, 'type' | 'environment'>): boolean {
  if (!textAt(row, 'events').split(',').includes(type)) return false;
  if (environment === undefined || row.environments === null || !eventsOfEnvironments.includes(type)) return true;
  return (JSON.parse(textAt(row, 'environments')) as string[]).includes(environment);
}

function* add(project: ProjectKey, webhookId: string, { type, environment, at, data }: ProjectEvent): Steps<void> {
  yield* insert(project, webhookId, {
    type,
    at,
    environment: environment === undefined ? null : environmentNumbers[environment],
    data: { ...(environment !== undefined && { environment }), ...data },
  });
}

interface NewDelivery {
  readonly type: string;
  readonly at: number;
  readonly environment?: number | null;
  readonly document?: number | null;
  readonly from?: number | null;
  readonly version?: number | null;
  readonly data: object;
}

/** The JSON object of an event. */
export const dataTextOf = ({ accountId, slug }: ProjectKey, data: object): string =>
  JSON.stringify({ accountId, projectSlug: slug, ...data });

/** Adds a delivery, unless the webhook has just been deleted, and drops the oldest beyond the limit. */
function* insert(
  project: ProjectKey,
  webhookId: string,
  delivery: NewDelivery,
  waitingMax = webhookWaitingMax,
): Steps<void> {
  const deliveryId = yield* insertRow(project, webhookId, delivery);
  const waiting = yield* countWaiting(project.accountId, webhookId, 1, delivery.at);
  if (waiting === undefined) {
    // One row, always.
    const values = [project.accountId, webhookId, deliveryId];
    return void (yield* all(`DELETE FROM webhook_deliveries WHERE ${ofWebhook} AND delivery_id = $3`, values));
  }
  const excess = waiting - waitingMax;
  if (excess > 0) yield* dropOldest(project, webhookId, excess, delivery.at);
}

function* insertRow(
  { accountId, slug }: ProjectKey,
  webhookId: string,
  { type, at, environment = null, document = null, from = null, version = null, data }: NewDelivery,
): Steps<string> {
  const deliveryId = `msg_${randomIdentifier()}`;
  const values: Value[] = [accountId, webhookId, deliveryId, slug, type, environment, at, document, from, version];
  const text = dataTextOf({ accountId, slug }, data);
  // One row, always.
  yield* all(
    `INSERT INTO webhook_deliveries (account_id, webhook_id, delivery_id, slug, type, environment, created_at, document, from_version, version, data,
       status, is_claimed, due_at, attempts, step) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'waiting', 0, $7, 0, 0)`,
    [...values, text],
  );
  return deliveryId;
}

/** Adds to the waiting deliveries of a webhook, of which one is due at `at`. Returns how many wait; undefined if it has been deleted. */
export function* countWaiting(accountId: string, webhookId: string, added: number, at: number): Steps<number | undefined> {
  // No row: there is no such webhook.
  const row = yield* first(
    `UPDATE webhooks SET waiting = waiting + $3, next_at = CASE WHEN next_at < $4 THEN next_at ELSE CAST($4 AS bigint) END
     WHERE ${ofWebhook} RETURNING waiting`,
    [accountId, webhookId, added, at],
  );
  return row && integerAt(row, 'waiting');
}

/** Drops so many of the oldest waiting deliveries, one more if nothing says so yet, and counts them in an `events.dropped`. */
function* dropOldest(project: ProjectKey, webhookId: string, excess: number, at: number): Steps<void> {
  const { accountId } = project;
  const ofNotice = `${ofWebhook} AND document = ${droppedDocument} AND attempts = 0`;
  // No row: none was dropped since the last notice was tried.
  const notice = yield* first(`SELECT delivery_id FROM webhook_deliveries WHERE ${ofNotice}`, [accountId, webhookId]);
  // A row for each, unless fewer can be dropped: tries under way, notices and the changes that collect what comes stay.
  const dropped = yield* all(
    `DELETE FROM webhook_deliveries WHERE ${ofWebhook} AND delivery_id IN (
       SELECT delivery_id FROM webhook_deliveries
       WHERE ${ofWebhook} AND status = 'waiting' AND is_claimed = 0 AND type <> 'events.dropped' AND NOT (${isCollecting})
       ORDER BY created_at, delivery_id LIMIT CAST($3 AS bigint))
     RETURNING delivery_id`,
    [accountId, webhookId, notice === undefined ? excess + 1 : excess],
  );
  if (dropped.length === 0) return;
  if (notice === undefined) {
    const version = dropped.length;
    yield* insertRow(project, webhookId, { type: 'events.dropped', at, document: droppedDocument, version, data: {} });
  } else {
    // One row, always.
    yield* all(`UPDATE webhook_deliveries SET version = version + $3 WHERE ${ofNotice}`, [
      accountId,
      webhookId,
      dropped.length,
    ]);
  }
  yield* countWaiting(accountId, webhookId, (notice === undefined ? 1 : 0) - dropped.length, at);
}

/** Stores a test event for one webhook, which exists. */
export function* storeTest(project: ProjectKey, webhookId: string, at: number, waitingMax: number): Steps<void> {
  yield* insert(project, webhookId, { type: 'test', at, data: {} }, waitingMax);
}
