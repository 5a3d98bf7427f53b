/** The tables of webhooks and their deliveries. */
import type { SharedTable } from '../schema/declaration.ts';

/** The migration that created them. */
const since = 23;

export const webhookTables = {
  /**
   * Events for webhooks. While one waits, `due_at` is when it is tried next or, during a try (`is_claimed` is 1), when other nodes may try.
   * `attempts` counts all tries, `step` those since it was last begun. `data` is the JSON object of the event, until it is delivered.
   * `last_try` is a JSON record of the last try: what was sent, and the head of the response.
   *
   * A change of public state leads from `from_version` to `version`. Until it is first tried, it takes in later changes, and `version` is
   * still the first of them. `version` of an `events.dropped` is the count. Both have a `document` while they wait: the number of the
   * environment, or -1.
   */
  webhook_deliveries: {
    title: 'deliveries of webhooks',
    placement: 'managed',
    since,
    columns: {
      account_id: 'text',
      webhook_id: 'text',
      delivery_id: 'text',
      slug: 'text',
      type: 'text',
      environment: 'integer?',
      created_at: 'integer',
      status: 'text',
      is_claimed: 'integer',
      due_at: 'integer?',
      attempts: 'integer',
      step: 'integer',
      response_status: 'integer?',
      milliseconds: 'integer?',
      document: 'integer?',
      from_version: 'integer?',
      version: 'integer?',
      data: 'text?',
      last_try: { since: 27, type: 'text?' },
    },
    key: ['account_id', 'webhook_id', 'delivery_id'],
    indexes: {
      webhook_deliveries_by_time: '(account_id, webhook_id, status, due_at)',
      webhook_deliveries_by_status: '(account_id, webhook_id, status, created_at, delivery_id)',
      webhook_deliveries_by_age: '(account_id, webhook_id, created_at, delivery_id)',
      webhook_deliveries_by_document: '(account_id, webhook_id, document, version)',
      webhook_deliveries_by_creation: '(created_at)',
    },
    owner: 'account_id',
    isOfProject: true,
    ofProject: 'webhook_id IN (SELECT webhook_id FROM webhooks WHERE account_id = $1 AND slug = $2)',
    isPassing: true,
    isUpdatedOften: true,
  },
  /**
   * At most ten of a project. `sealed_target` has the URL and the secrets. `host` is the URL's host and port. `events` are comma-separated
   * types, `environments` a JSON list or null. `waiting` counts its waiting deliveries, and `next_at` is when the next of them may be tried;
   * null if none waits. Since `failing_since`, every try has failed. `last_…` describe the last try.
   */
  webhooks: {
    title: 'webhooks',
    placement: 'managed',
    since,
    columns: {
      account_id: 'text',
      webhook_id: 'text',
      slug: 'text',
      host: 'text',
      description: 'text',
      events: 'text',
      environments: 'text?',
      enabled: 'integer',
      created_at: 'integer',
      creator_kind: 'text',
      creator_id: 'text',
      creator_name: 'text?',
      sealed_target: 'bytes',
      disabled_reason: 'text?',
      failing_since: 'integer?',
      last_at: 'integer?',
      last_status: 'text?',
      last_response_status: 'integer?',
      last_milliseconds: 'integer?',
      waiting: 'integer',
      next_at: 'integer?',
    },
    key: ['account_id', 'webhook_id'],
    indexes: { webhooks_by_project: '(account_id, slug)', webhooks_by_time: '(next_at)' },
    owner: 'account_id',
    isOfProject: true,
    isUpdatedOften: true,
  },
  /**
   * What receivers have been sent, by a hash of host and port: the tries since `minute_starts_at`, and `slots`, a JSON list of the tries
   * under way, each with the time when it counts no more.
   */
  webhook_hosts: {
    title: 'receivers of webhooks',
    placement: 'local',
    since,
    columns: { host_hash: 'bytes', minute_starts_at: 'integer', sent: 'integer', slots: 'text' },
    key: ['host_hash'],
    indexes: { webhook_hosts_by_time: '(minute_starts_at)' },
    isPassing: true,
    isUpdatedOften: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
