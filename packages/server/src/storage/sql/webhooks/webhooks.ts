/** Webhooks as members see and change them. */
import { type WebhookEvent, webhookDeliveryStatuses, webhookDisabledReasons, webhookEvents } from '@holdfast/contract';
import { projectChange } from '../../caches/access-changes.ts';
import type { Actor, AuditDetail } from '../../contract/audit.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import type {
  LastDelivery,
  NewWebhook,
  TargetChange,
  Webhook,
  WebhookChanges,
  WebhookKey,
} from '../../contract/webhooks.ts';
import {
  bytesAt,
  decodedTextAt,
  integerAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  type Row,
  textAt,
  wordAt,
} from '../../rows/columns.ts';
import { encodeEnvironments, environmentsAt } from '../../rows/member-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { created, differing, removed } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { lockProject, projectTarget } from '../projects/projects.ts';
import { all, first, one, type Steps, together, type Value } from '../steps.ts';
import { type Setting, smallRead } from '../verb.ts';
import { nextTime, ofWebhook } from './webhook-queue.ts';

const columns = `account_id, webhook_id, slug, host, description, events, environments, enabled, created_at, creator_kind, creator_id,
  creator_name, sealed_target`;
const stateColumns = 'disabled_reason, last_at, last_status, last_response_status, last_milliseconds';

const creatorKinds = ['developer', 'operator'] as const satisfies readonly Actor['kind'][];

const isKnown = (name: string): name is WebhookEvent => Object.hasOwn(webhookEvents, name);

/** The subscribed types that this program knows. */
const eventsOf = (row: Row): WebhookEvent[] => textAt(row, 'events').split(',').filter(isKnown);

const lastDeliveryOf = (row: Row): LastDelivery | null =>
  row.last_at === null
    ? null
    : {
        at: integerAt(row, 'last_at'),
        status: wordAt(row, 'last_status', webhookDeliveryStatuses),
        responseStatus: optionalIntegerAt(row, 'last_response_status'),
        milliseconds: integerAt(row, 'last_milliseconds'),
      };

const toWebhook = (row: Row): Webhook => ({
  accountId: textAt(row, 'account_id'),
  webhookId: textAt(row, 'webhook_id'),
  slug: textAt(row, 'slug'),
  host: textAt(row, 'host'),
  description: decodedTextAt(row, 'description'),
  events: eventsOf(row),
  environments: environmentsAt(row),
  enabled: integerAt(row, 'enabled') === 1,
  createdAt: integerAt(row, 'created_at'),
  createdBy: {
    kind: wordAt(row, 'creator_kind', creatorKinds),
    id: decodedTextAt(row, 'creator_id'),
    name: optionalDecodedTextAt(row, 'creator_name'),
  },
  sealedTarget: bytesAt(row, 'sealed_target'),
  lastDelivery: lastDeliveryOf(row),
  disabledReason: row.disabled_reason === null ? null : wordAt(row, 'disabled_reason', webhookDisabledReasons),
});

/** The path of a webhook below its account. */
const webhookTarget = (slug: string, webhookId: string): string => `${projectTarget(slug)}/webhooks/${webhookId}`;

/** The recorded fields of a webhook. */
const shown = ({ host, description, events, environments, enabled }: Omit<NewWebhook, keyof WebhookKey>) => ({
  host,
  description,
  events,
  environments,
  enabled,
});

function* create(
  _: Setting,
  webhook: NewWebhook,
  webhooksMax: number,
): Steps<WithAuditEntry<'created' | 'no_project' | 'too_many'>> {
  const { accountId, slug, webhookId, createdBy, environments } = webhook;
  // The project is locked, so that no concurrent step counts.
  if (!(yield* lockProject(webhook))) return unchanged('no_project');
  const counted = yield* one('SELECT count(*) AS used FROM webhooks WHERE account_id = $1 AND slug = $2', [
    accountId,
    slug,
  ]);
  if (Number(counted.used) >= webhooksMax) return unchanged('too_many');
  // One row, always. An id that is taken is a fault of the caller and fails.
  yield* all(
    `INSERT INTO webhooks (${columns}, waiting) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0)`,
    [
      accountId,
      webhookId,
      slug,
      webhook.host,
      encodeText(webhook.description),
      webhook.events.join(','),
      encodeEnvironments(environments),
      webhook.enabled ? 1 : 0,
      webhook.createdAt,
      createdBy.kind,
      encodeText(createdBy.id),
      encodeOptional(createdBy.name),
      webhook.sealedTarget,
    ],
  );
  const detail = created(shown(webhook));
  return withAuditEntry('created', { action: 'webhook.create', target: webhookTarget(slug, webhookId), detail });
}

function* list(_: Setting, { accountId, slug }: ProjectKey): Steps<readonly Webhook[] | undefined> {
  const [projects = [], rows = []] = yield* together([
    // No row: no such project.
    { sql: 'SELECT 1 AS found FROM projects WHERE account_id = $1 AND slug = $2', values: [accountId, slug] },
    // At most ten rows.
    {
      sql: `SELECT ${columns}, ${stateColumns} FROM webhooks WHERE account_id = $1 AND slug = $2 ORDER BY created_at, webhook_id`,
      values: [accountId, slug],
    },
  ]);
  return projects.length === 0 ? undefined : rows.map(toWebhook);
}

function* find(_: Setting, { accountId, slug, webhookId }: WebhookKey): Steps<Webhook | undefined> {
  // No row: no such webhook, or its account was deleted.
  const row = yield* first(
    `SELECT ${columns}, ${stateColumns} FROM webhooks
     WHERE account_id = $1 AND webhook_id = $2 AND slug = $3 AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)`,
    [accountId, webhookId, slug],
  );
  return row && toWebhook(row);
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function* update(
  setting: Setting,
  key: WebhookKey,
  { target, ...changes }: WebhookChanges,
): Steps<WithAuditEntry<Webhook | 'absent' | 'raced'>> {
  const before = yield* find(setting, key);
  if (before === undefined) return unchanged('absent');
  if (target !== undefined && !isSame(before.sealedTarget, target.replaces)) return unchanged('raced');
  const after: Webhook = { ...before, ...changes, sealedTarget: target?.sealedTarget ?? before.sealedTarget };
  const isSet = changes.enabled !== undefined;
  const values: Value[] = [
    after.host,
    encodeText(after.description),
    after.events.join(','),
    encodeEnvironments(after.environments),
    after.enabled ? 1 : 0,
    after.sealedTarget,
    isSet ? 1 : 0,
  ];
  // One row, always: the account is locked.
  yield* all(
    `UPDATE webhooks SET host = $3, description = $4, events = $5, environments = $6, enabled = $7, sealed_target = $8,
       disabled_reason = CASE WHEN CAST($9 AS bigint) = 1 THEN NULL ELSE disabled_reason END,
       failing_since = CASE WHEN CAST($9 AS bigint) = 1 THEN NULL ELSE failing_since END
     WHERE ${ofWebhook}`,
    [key.accountId, key.webhookId, ...values],
  );
  yield* nextTime(key.accountId, key.webhookId);
  const detail: AuditDetail = { ...differing(shown(before), shown(after)), ...(target !== undefined && { url: {} }) };
  return withAuditEntry(
    { ...after, disabledReason: isSet ? null : after.disabledReason },
    { action: 'webhook.change', target: webhookTarget(key.slug, key.webhookId), detail },
  );
}

function* rotate(
  setting: Setting,
  key: WebhookKey,
  { sealedTarget, replaces }: TargetChange,
): Steps<WithAuditEntry<'rotated' | 'absent' | 'raced'>> {
  const before = yield* find(setting, key);
  if (before === undefined) return unchanged('absent');
  if (!isSame(before.sealedTarget, replaces)) return unchanged('raced');
  // One row, always: the account is locked.
  yield* all(`UPDATE webhooks SET sealed_target = $3 WHERE ${ofWebhook}`, [key.accountId, key.webhookId, sealedTarget]);
  const entry = { action: 'webhook.rotate', target: webhookTarget(key.slug, key.webhookId), detail: {} } as const;
  return withAuditEntry('rotated', entry);
}

function* remove(setting: Setting, key: WebhookKey): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  const webhook = yield* find(setting, key);
  if (webhook === undefined) return unchanged('absent');
  const values = [key.accountId, key.webhookId];
  // Few rows, once they were cleared, and one. Deliveries are locked before their webhook; those added until it was locked follow.
  yield* all(`DELETE FROM webhook_deliveries WHERE ${ofWebhook}`, values);
  yield* all(`DELETE FROM webhooks WHERE ${ofWebhook}`, values);
  yield* all(`DELETE FROM webhook_deliveries WHERE ${ofWebhook}`, values);
  const { host, description } = webhook;
  const target = webhookTarget(key.slug, key.webhookId);
  return withAuditEntry('deleted', { action: 'webhook.delete', target, detail: removed({ host, description }) });
}

/** The paths of the webhooks that a member has created, below the account. */
export function* webhooksOfMember(accountId: string, memberId: string): Steps<readonly string[]> {
  // A row for each.
  const rows = yield* all(
    'SELECT slug, webhook_id FROM webhooks WHERE account_id = $1 AND creator_id = $2 ORDER BY slug, webhook_id',
    [accountId, encodeText(memberId)],
  );
  return rows.map((row) => webhookTarget(textAt(row, 'slug'), textAt(row, 'webhook_id')));
}

export const webhookVerbs = {
  /** Creates a webhook, unless the project already has `webhooksMax`. This is an access change of the project. */
  createWebhook: audited(create, ofItsAccount, {
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome !== 'created',
  }),
  /** All webhooks of a project, oldest first; undefined if the project does not exist. */
  listWebhooks: smallRead(list),
  findWebhook: smallRead(find),
  /**
   * Changes a webhook. `raced`: the target is no longer the one to replace, and nothing is changed. Switching on forgets the failures. This
   * is an access change of the project.
   */
  updateWebhook: audited(update, ofItsAccount, {
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome === 'absent' || outcome === 'raced',
  }),
  /** Replaces the target, for a new secret. */
  rotateWebhookSecret: audited(rotate, ofItsAccount),
  /** Deletes a webhook with the deliveries that are left. This is an access change of the project. */
  deleteWebhook: audited(remove, ofItsAccount, {
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome === 'absent',
  }),
};
