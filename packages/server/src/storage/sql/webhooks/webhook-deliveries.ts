/** The deliveries of webhooks as members see them, and their removal. */

import { webhookDeliveryStatuses, webhookWaitingMax } from '@holdfast/contract';
import type { Page, PageRequest } from '../../contract/pages.ts';
import { ofAccount, ofRecord } from '../../contract/read-owner.ts';
import type { LastTry, TriedDelivery, WebhookDelivery, WebhookKey } from '../../contract/webhooks.ts';
import { integerAt, jsonAt, optionalIntegerAt, type Row, textAt, wordAt } from '../../rows/columns.ts';
import { beforeFirst, pageOf } from '../../rows/pages.ts';
import { differing } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, type Steps } from '../steps.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { countWaiting, isCollecting, nextTime, ofWebhook, storeTest } from './webhook-queue.ts';

/** Locks a webhook until the end of the transaction. Returns whether there is one. */
function* lockWebhook({ accountId, slug, webhookId }: WebhookKey): Steps<boolean> {
  // No row: no such webhook, or its account was deleted.
  const row = yield* first(
    `SELECT 1 AS found FROM webhooks WHERE ${ofWebhook} AND slug = $3
       AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1) FOR UPDATE`,
    [accountId, webhookId, slug],
  );
  return row !== undefined;
}

function* addTest(_: Setting, key: WebhookKey, now: number, waitingMax = webhookWaitingMax): Steps<'added' | 'absent'> {
  if (!(yield* lockWebhook(key))) return 'absent';
  yield* storeTest(key, key.webhookId, now, waitingMax);
  return 'added';
}

const toDelivery = (row: Row): WebhookDelivery => ({
  deliveryId: textAt(row, 'delivery_id'),
  type: textAt(row, 'type'),
  createdAt: integerAt(row, 'created_at'),
  status: wordAt(row, 'status', webhookDeliveryStatuses),
  attempts: integerAt(row, 'attempts'),
  dueAt: optionalIntegerAt(row, 'due_at'),
  responseStatus: optionalIntegerAt(row, 'response_status'),
  milliseconds: optionalIntegerAt(row, 'milliseconds'),
});

const deliveryColumns = 'delivery_id, type, created_at, status, attempts, due_at, response_status, milliseconds';

function* find(_: Setting, key: WebhookKey, deliveryId: string): Steps<TriedDelivery | undefined> {
  // No row: no such delivery or webhook.
  const row = yield* first(
    `SELECT ${deliveryColumns}, last_try, data FROM webhook_deliveries WHERE ${ofWebhook} AND delivery_id = $3 AND slug = $4`,
    [key.accountId, key.webhookId, deliveryId, key.slug],
  );
  if (row === undefined) return undefined;
  const lastTry = row.last_try === null ? null : jsonAt<LastTry>(row, 'last_try');
  return { delivery: toDelivery(row), lastTry, dataText: row.data === null ? null : textAt(row, 'data') };
}

function* list(
  _: Setting,
  { accountId, slug, webhookId }: WebhookKey,
  { after, itemsMax, status, keptMax }: PageRequest & { readonly status: string | null; readonly keptMax: number },
): Steps<Page<WebhookDelivery> | undefined> {
  // No row: no such webhook.
  const webhook = yield* first(`SELECT 1 AS found FROM webhooks WHERE ${ofWebhook} AND slug = $3`, [
    accountId,
    webhookId,
    slug,
  ]);
  if (webhook === undefined) return undefined;
  // No row: all of them are shown.
  const hidden = yield* first(
    `SELECT created_at, delivery_id FROM webhook_deliveries WHERE ${ofWebhook}
     ORDER BY created_at DESC, delivery_id DESC LIMIT 1 OFFSET CAST($3 AS bigint)`,
    [accountId, webhookId, keptMax],
  );
  const { createdAt, tie } = after ?? beforeFirst;
  const bounds = [
    createdAt,
    tie,
    hidden === undefined ? -1 : integerAt(hidden, 'created_at'),
    hidden?.delivery_id as string,
  ];
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT ${deliveryColumns} FROM webhook_deliveries
     WHERE ${ofWebhook} AND (created_at, delivery_id) < ($3, $4) AND (created_at, delivery_id) > ($5, $6)
       ${status === null ? '' : 'AND status = $8'}
     ORDER BY created_at DESC, delivery_id DESC LIMIT CAST($7 AS bigint)`,
    [accountId, webhookId, ...bounds.map((bound) => bound ?? ''), itemsMax + 1, ...(status === null ? [] : [status])],
  );
  return pageOf(rows.map(toDelivery), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.deliveryId }));
}

function* retry(_: Setting, key: WebhookKey, deliveryId: string, now: number): Steps<'retried' | 'absent' | 'delivered'> {
  const { accountId, webhookId } = key;
  const values = [accountId, webhookId, deliveryId];
  // No row: no such delivery. The delivery is locked before its webhook, as where it is tried.
  const row = yield* first(
    `SELECT status, is_claimed FROM webhook_deliveries WHERE ${ofWebhook} AND delivery_id = $3 FOR UPDATE`,
    values,
  );
  if (!(yield* lockWebhook(key)) || row === undefined) return 'absent';
  const status = wordAt(row, 'status', webhookDeliveryStatuses);
  if (status === 'delivered') return 'delivered';
  if (integerAt(row, 'is_claimed') === 1) return 'retried';
  // One row, always.
  yield* all(
    `UPDATE webhook_deliveries SET due_at = $4, step = CASE WHEN status = 'failed' THEN 0 ELSE step END, status = 'waiting',
       document = CASE WHEN from_version IS NOT NULL THEN environment ELSE document END
     WHERE ${ofWebhook} AND delivery_id = $3`,
    [...values, now],
  );
  if (status === 'failed') yield* countWaiting(accountId, webhookId, 1, now);
  yield* nextTime(accountId, webhookId);
  return 'retried';
}

/** Rows of a table that one call deletes, in a few milliseconds. */
const deletedMax = 128;

function* clear(_: Setting, { accountId, slug, webhookId }: WebhookKey): Steps<boolean> {
  // A row for each.
  const rows = yield* all(
    `DELETE FROM webhook_deliveries WHERE ${ofWebhook} AND delivery_id IN (
       SELECT delivery_id FROM webhook_deliveries WHERE ${ofWebhook} AND slug = $3 AND NOT (${isCollecting}) LIMIT ${deletedMax})
     RETURNING account_id, webhook_id, status`,
    [accountId, webhookId, slug],
  );
  yield* uncountWaiting(rows);
  return rows.length === deletedMax;
}

/** Notes that these deliveries have been deleted in the rows of their webhooks. */
function* uncountWaiting(rows: readonly Row[]): Steps<void> {
  const waiting = Map.groupBy(
    rows.filter(({ status }) => status === 'waiting'),
    (row) => `${textAt(row, 'account_id')}/${textAt(row, 'webhook_id')}`,
  );
  for (const [name, dropped] of [...waiting].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [accountId = '', webhookId = ''] = name.split('/');
    // One row, unless the webhook is being deleted.
    yield* all(`UPDATE webhooks SET waiting = waiting - $3 WHERE ${ofWebhook}`, [accountId, webhookId, dropped.length]);
    yield* nextTime(accountId, webhookId);
  }
}

const documentOf = (row: Row): string => `${row.account_id}/${row.slug}/${row.environment}`;
const byDocument = (one: Row, other: Row): number => (documentOf(one) < documentOf(other) ? -1 : 1);

function* sweep({ engine }: Setting, before: number): Steps<number> {
  // A row for each.
  const rows = yield* all(
    `DELETE FROM webhook_deliveries WHERE (account_id, webhook_id, delivery_id) IN (
       SELECT account_id, webhook_id, delivery_id FROM webhook_deliveries WHERE created_at < $1 LIMIT ${deletedMax})
     RETURNING account_id, webhook_id, status, slug, environment, CASE WHEN ${isCollecting} THEN 1 ELSE 0 END AS is_collecting`,
    [before],
  );
  for (const row of rows.filter(({ is_collecting: isCollecting }) => isCollecting === 1).sort(byDocument)) {
    const key = { accountId: textAt(row, 'account_id'), slug: textAt(row, 'slug') };
    yield* engine.endCollecting(key, integerAt(row, 'environment'));
  }
  yield* uncountWaiting(rows);
  // A row for each receiver that is idle.
  yield* all(
    `DELETE FROM webhook_hosts WHERE host_hash IN (
       SELECT host_hash FROM webhook_hosts WHERE minute_starts_at < $1 LIMIT ${deletedMax})`,
    [before],
  );
  return rows.length;
}

const networksOf = (row: Row): readonly string[] =>
  row.webhook_networks === null ? [] : (JSON.parse(textAt(row, 'webhook_networks')) as string[]);

function* readNetworks(_: Setting, accountId: string): Steps<readonly string[] | undefined> {
  // No row: no such account.
  const row = yield* first('SELECT webhook_networks FROM accounts WHERE account_id = $1', [accountId]);
  return row && networksOf(row);
}

function* writeNetworks(
  setting: AuditedSetting,
  accountId: string,
  networks: readonly string[] | null,
): Steps<WithAuditEntry<'written' | 'no_account'>> {
  const before = yield* readNetworks(setting, accountId);
  if (before === undefined) return unchanged('no_account');
  // One row, always: the account is locked.
  yield* all('UPDATE accounts SET webhook_networks = $2 WHERE account_id = $1', [
    accountId,
    networks === null ? null : JSON.stringify(networks),
  ]);
  const detail = differing({ webhookNetworks: before }, { webhookNetworks: networks ?? [] });
  return withAuditEntry('written', { action: 'account.limit', target: accountId, detail });
}

export const webhookDeliveryVerbs = {
  /** Stores an event of the type `test`, even for a webhook that is off. Beyond `waitingMax`, the oldest are dropped as for any event. */
  addWebhookTest: write(addTest),
  /** The newest deliveries, newest first, at most `keptMax` on all pages; undefined if there is no such webhook. */
  listWebhookDeliveries: largeRead(list, ofRecord),
  /** A delivery with its last try; undefined if there is no such delivery or webhook. */
  findWebhookDelivery: smallRead(find),
  /** Makes a delivery due now, unless it is being tried. A failed one starts over. */
  retryWebhookDelivery: write(retry),
  /** Deletes some deliveries of a webhook that is about to be deleted, so that its deletion is short. Returns whether more may be left. */
  clearWebhookDeliveries: write(clear),
  /** Deletes some of the deliveries from before a time, and idle receivers. Returns the number deleted. */
  sweepWebhookDeliveries: write(sweep),
  /** These networks; undefined if the account does not exist. */
  readWebhookNetworks: smallRead(readNetworks),
  /** Sets the private networks, in CIDR notation, that an account's webhooks may reach; null for none. */
  writeWebhookNetworks: audited(writeNetworks, ofAccount),
};
