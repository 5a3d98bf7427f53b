/** Claims of deliveries, the results of their tries, and how much each receiver gets. */
import { hash } from 'node:crypto';
import { type WebhookDeliveryStatus, webhookDeliveriesMax } from '@holdfast/contract';
import { isServedSql } from '../../../access/rules/account-status.ts';
import { projectChange } from '../../caches/access-changes.ts';
import type { Author } from '../../contract/public-states.ts';
import type { ClaimedDelivery, ClaimOutcome, DueWebhook, HostBounds, TryResult } from '../../contract/webhooks.ts';
import {
  bytesAt,
  integerAt,
  jsonAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  type Row,
  textAt,
} from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import type { EngineSql } from '../engine-sql.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { dataTextOf, isSendable, nextTime, ofWebhook } from './webhook-queue.ts';

/** Tries under way: the name of each, and when it counts no more, in case its node has stopped. */
type Slots = readonly (readonly [name: string, until: number])[];

interface HostRow {
  readonly minuteStartsAt: number;
  readonly sent: number;
  readonly slots: Slots;
}

const minuteMilliseconds = 60_000;
const hashOf = (host: string): Uint8Array => hash('sha256', host, 'buffer');
const nameOf = ({ deliveryId, attempts }: Pick<ClaimedDelivery, 'deliveryId' | 'attempts'>): string =>
  `${deliveryId} ${attempts}`;

/** Locks the row of a receiver until the end of the transaction, and returns it. */
function* lockHost(host: string, now: number): Steps<HostRow> {
  // One row, always.
  const row = (yield* first(
    `INSERT INTO webhook_hosts (host_hash, minute_starts_at, sent, slots) VALUES ($1, $2, 0, '[]')
     ON CONFLICT (host_hash) DO UPDATE SET sent = webhook_hosts.sent RETURNING minute_starts_at, sent, slots`,
    [hashOf(host), now],
  )) as Row;
  const minuteStartsAt = integerAt(row, 'minute_starts_at');
  const slots = jsonAt<Slots>(row, 'slots').filter(([, until]) => until > now);
  const isOver = now >= minuteStartsAt + minuteMilliseconds || now < minuteStartsAt;
  return isOver ? { minuteStartsAt: now, sent: 0, slots } : { minuteStartsAt, sent: integerAt(row, 'sent'), slots };
}

function* putHost(host: string, { minuteStartsAt, sent, slots }: HostRow): Steps<void> {
  // One row, always.
  yield* all('UPDATE webhook_hosts SET minute_starts_at = $2, sent = $3, slots = $4 WHERE host_hash = $1', [
    hashOf(host),
    minuteStartsAt,
    sent,
    JSON.stringify(slots),
  ]);
}

/** How long another node's tries keep a receiver busy, until this one looks again. */
const busyMilliseconds = 250;

/** Until when a receiver takes no more; undefined if it does. */
function busyUntil({ minuteStartsAt, sent, slots }: HostRow, now: number, bounds: HostBounds): number | undefined {
  if (sent >= bounds.perMinuteMax) return minuteStartsAt + minuteMilliseconds;
  return slots.length >= bounds.inFlightMax ? now + busyMilliseconds : undefined;
}

/** The most accounts that a look leaves out: the webhooks of a busy one would keep those of others from being put in turn. */
const busyAccountsMax = 4;
/** Their parameters in `listDue`, which follow the time and the limit. */
const busyPlaceholders = Array.from({ length: busyAccountsMax }, (_each, index) => `$${index + 3}`).join(', ');
/** The most due webhooks that are put in turn. */
const candidatesMax = 2_000;
/** The most webhooks of one receiver in a list. */
const ofHostMax = 16;

function* listDue(
  _: Setting,
  now: number,
  limit: number,
  busyAccounts: readonly string[] = [],
): Steps<{ readonly due: readonly DueWebhook[]; readonly nextAt: number | undefined }> {
  // One row, always: the times are in an index.
  const found = yield* first('SELECT min(next_at) AS next_at FROM webhooks');
  const nextAt = (found && optionalIntegerAt(found, 'next_at')) ?? undefined;
  if (nextAt === undefined || nextAt > now) return { due: [], nextAt };
  // A row for each due webhook, at most as many as requested.
  const rows = yield* all(
    `SELECT account_id, webhook_id, host FROM (
       SELECT account_id, webhook_id, host, next_at, turn,
         row_number() OVER (PARTITION BY host ORDER BY turn, next_at, webhook_id) AS host_turn
       FROM (
         SELECT account_id, webhook_id, host, next_at,
           row_number() OVER (PARTITION BY account_id ORDER BY next_at, webhook_id) AS turn
         FROM (SELECT account_id, webhook_id, host, next_at FROM webhooks
           WHERE next_at <= $1 AND account_id NOT IN (${busyPlaceholders}) AND EXISTS (SELECT 1 FROM accounts
             WHERE accounts.account_id = webhooks.account_id AND accounts.${isServedSql})
           ORDER BY next_at LIMIT ${candidatesMax}) AS candidates) AS in_turn) AS by_host
     WHERE host_turn <= ${ofHostMax} ORDER BY turn, next_at, webhook_id LIMIT CAST($2 AS bigint)`,
    [now, limit, ...Array.from({ length: busyAccountsMax }, (_each, index) => busyAccounts[index] ?? '')],
  );
  const due = rows.map((row) => ({
    accountId: textAt(row, 'account_id'),
    webhookId: textAt(row, 'webhook_id'),
    host: textAt(row, 'host'),
  }));
  return { due, nextAt };
}

function* claim(
  { engine }: Setting,
  { accountId, webhookId, host }: DueWebhook,
  now: number,
  claimedUntil: number,
  bounds: HostBounds,
): Steps<ClaimOutcome> {
  const receiver = yield* lockHost(host, now);
  const until = busyUntil(receiver, now, bounds);
  if (until !== undefined) {
    // One row, unless it was deleted.
    yield* all(`UPDATE webhooks SET next_at = $3 WHERE ${ofWebhook} AND next_at < $3`, [accountId, webhookId, until]);
    return { kind: 'busy', until };
  }
  // No row: nothing is due, or its account is gone or suspended.
  const row = yield* first(
    `SELECT delivery_id, webhook_deliveries.slug, type, environment, webhook_deliveries.created_at, attempts, step, from_version, version,
       data, host, sealed_target, webhook_networks
     FROM webhook_deliveries JOIN webhooks USING (account_id, webhook_id) JOIN accounts USING (account_id)
     WHERE account_id = $1 AND webhook_id = $2 AND due_at <= $3 AND ${isServedSql} AND ${isSendable}
     ORDER BY due_at, webhook_deliveries.created_at, delivery_id LIMIT 1`,
    [accountId, webhookId, now],
  );
  if (row === undefined || textAt(row, 'host') !== host) {
    yield* nextTime(accountId, webhookId);
    return { kind: 'none' };
  }
  const isFirst = integerAt(row, 'attempts') === 0 && row.from_version !== null;
  const last = isFirst ? yield* lastChange(engine, row, accountId) : undefined;
  // No row: another node was faster.
  const claimed = yield* first(
    `UPDATE webhook_deliveries SET is_claimed = 1, due_at = $4, attempts = attempts + 1,
         version = coalesce(CAST($6 AS bigint), version), data = coalesce(CAST($7 AS text), data)
       WHERE ${ofWebhook} AND delivery_id = $3 AND status = 'waiting' AND due_at <= $5
       RETURNING from_version, version, data, attempts`,
    [accountId, webhookId, textAt(row, 'delivery_id'), claimedUntil, now, last?.version ?? null, last?.data ?? null],
  );
  yield* nextTime(accountId, webhookId, claimed === undefined ? 0 : now);
  if (claimed === undefined) return { kind: 'none' };
  const delivery = toClaimed({ ...row, ...claimed }, accountId, webhookId);
  const slots: Slots = [...receiver.slots, [nameOf(delivery), claimedUntil]];
  yield* putHost(host, { ...receiver, sent: receiver.sent + 1, slots });
  return { kind: 'claimed', delivery };
}

/** Ends the collecting of a change. Returns the last version that it has taken in, and its data; undefined if it has taken in no more. */
function* lastChange(
  engine: EngineSql,
  row: Row,
  accountId: string,
): Steps<{ readonly version: number; readonly data: string } | undefined> {
  const key = { accountId, slug: textAt(row, 'slug') };
  const number = integerAt(row, 'environment');
  const environment = environmentNames[number];
  const current = yield* engine.endCollecting(key, number);
  const version = current === undefined ? 0 : integerAt(current, 'version');
  if (current === undefined || version <= integerAt(row, 'version')) return undefined;
  const author = current.author === null ? null : jsonAt<Author>(current, 'author');
  return { version, data: dataTextOf(key, { environment, author, comment: optionalDecodedTextAt(current, 'comment') }) };
}

const toClaimed = (row: Row, accountId: string, webhookId: string): ClaimedDelivery => ({
  accountId,
  webhookId,
  slug: textAt(row, 'slug'),
  deliveryId: textAt(row, 'delivery_id'),
  host: textAt(row, 'host'),
  type: textAt(row, 'type'),
  environment: row.environment === null ? null : (environmentNames[integerAt(row, 'environment')] ?? null),
  createdAt: integerAt(row, 'created_at'),
  attempts: integerAt(row, 'attempts'),
  step: integerAt(row, 'step'),
  fromVersion: optionalIntegerAt(row, 'from_version'),
  version: optionalIntegerAt(row, 'version'),
  dataText: textAt(row, 'data'),
  sealedTarget: bytesAt(row, 'sealed_target'),
  networks: row.webhook_networks === null ? [] : jsonAt<string[]>(row, 'webhook_networks'),
});

/** SQL: the row of a claimed delivery, if it is still claimed: `$3` is its id, `$4` its attempts. */
const ofClaim = `${ofWebhook} AND delivery_id = $3 AND attempts = $4 AND is_claimed = 1 AND status = 'waiting'`;

function* complete(_: Setting, claimed: ClaimedDelivery, dataText: string): Steps<void> {
  const { accountId, webhookId, deliveryId, attempts } = claimed;
  // No row: the claim was lost, or the webhook was deleted.
  yield* all(`UPDATE webhook_deliveries SET data = $5 WHERE ${ofClaim}`, [
    accountId,
    webhookId,
    deliveryId,
    attempts,
    dataText,
  ]);
}

function* settle(
  _: Setting,
  claimed: ClaimedDelivery,
  result: TryResult,
  keptMax = webhookDeliveriesMax,
): Steps<'settled' | 'switched_off' | 'lost'> {
  const { accountId, webhookId, deliveryId, attempts, host } = claimed;
  const { status, dueAt, responseStatus, milliseconds, at, lastTry } = result;
  const receiver = yield* lockHost(host, at);
  yield* putHost(host, { ...receiver, slots: receiver.slots.filter(([name]) => name !== nameOf(claimed)) });
  // No row: the claim was lost, or the webhook was deleted.
  const row = yield* first(
    `UPDATE webhook_deliveries SET status = $5, due_at = $6, is_claimed = 0, step = step + 1, response_status = $7, milliseconds = $8,
       last_try = $11, document = CASE WHEN CAST($9 AS bigint) = 1 THEN document ELSE NULL END,
       data = CASE WHEN CAST($10 AS bigint) = 1 THEN NULL ELSE data END
     WHERE ${ofClaim} RETURNING delivery_id`,
    [
      accountId,
      webhookId,
      deliveryId,
      attempts,
      status,
      dueAt,
      responseStatus,
      milliseconds,
      status === 'waiting' ? 1 : 0,
      status === 'delivered' ? 1 : 0,
      JSON.stringify(lastTry),
    ],
  );
  if (row === undefined) return 'lost';
  if (status !== 'waiting') yield* dropEnded(claimed, status, keptMax);
  return yield* noteResult(claimed, result);
}

/** Most deliveries that one result removes: more than one, so that a webhook with too many comes down to the bound. */
const droppedMax = 10;

/**
 * Removes the oldest deliveries that ended in one way, beyond a number, so that deleting a webhook never takes long. They are locked before
 * their webhook, as where they are tried.
 */
function* dropEnded(
  { accountId, webhookId }: ClaimedDelivery,
  status: WebhookDeliveryStatus,
  keptMax: number,
): Steps<void> {
  // No row: there are not that many.
  yield* all(
    `DELETE FROM webhook_deliveries WHERE ${ofWebhook} AND status = $3 AND delivery_id IN (
       SELECT delivery_id FROM webhook_deliveries WHERE ${ofWebhook} AND status = $3
       ORDER BY created_at DESC, delivery_id DESC LIMIT ${droppedMax} OFFSET CAST($4 AS bigint))`,
    [accountId, webhookId, status, keptMax],
  );
}

/** Notes the result of a try in the row of its webhook. */
function* noteResult(
  { accountId, webhookId }: ClaimedDelivery,
  { status, responseStatus, milliseconds, at, isGone, failingBefore }: TryResult,
): Steps<'settled' | 'switched_off'> {
  // One row, always: deliveries are deleted before their webhook.
  const webhook = yield* first(`SELECT enabled, failing_since FROM webhooks WHERE ${ofWebhook} FOR UPDATE`, [
    accountId,
    webhookId,
  ]);
  if (webhook === undefined) return 'settled';
  const since = status === 'delivered' ? null : (optionalIntegerAt(webhook, 'failing_since') ?? at);
  const reason = isGone ? 'gone' : since !== null && since <= failingBefore ? 'failures' : null;
  const isOff = reason !== null && integerAt(webhook, 'enabled') === 1;
  // One row, always.
  yield* all(
    `UPDATE webhooks SET failing_since = $3, last_at = $4, last_status = $5, last_response_status = $6, last_milliseconds = $7,
       waiting = waiting - $8, enabled = CASE WHEN CAST($9 AS bigint) = 1 THEN 0 ELSE enabled END,
       disabled_reason = CASE WHEN CAST($9 AS bigint) = 1 THEN CAST($10 AS text) ELSE disabled_reason END
     WHERE ${ofWebhook}`,
    [accountId, webhookId, since, at, status, responseStatus, milliseconds, waitsNoMore(status), isOff ? 1 : 0, reason],
  );
  yield* nextTime(accountId, webhookId);
  return isOff ? 'switched_off' : 'settled';
}

const waitsNoMore = (status: WebhookDeliveryStatus): number => (status === 'waiting' ? 0 : 1);

export const webhookClaimVerbs = {
  /**
   * Webhooks with a delivery that is due: accounts take turns, for all hosts and for each. At most `limit`, and none of `busyAccounts`, of
   * which the first four count. `nextAt` is when the next is
   * due; undefined if none waits.
   */
  listDueWebhooks: smallRead(listDue),
  /** Claims the next due delivery of a webhook until a time. Of parallel calls, at most one gets it. */
  claimWebhookDelivery: write(claim),
  /** Stores the event of a claimed delivery once it is complete, so that all tries send the same. */
  completeWebhookDelivery: write(complete, { isolation: 'statement' }),
  /**
   * Stores the result of a try, and removes some older deliveries that ended likewise if more than `keptMax` (1,000 by default) have. `switched_off`: the webhook too was switched off. `lost`: the webhook was deleted, or another node has claimed
   * the delivery since.
   */
  settleWebhookDelivery: write(settle, {
    invalidates: (claimed) => projectChange(claimed),
    isWithoutEffect: (outcome) => outcome !== 'switched_off',
  }),
};
