import type { SharedTable } from '../schema/declaration.ts';

/**
 * Who changed what. `position` numbers the records of an account without gaps, `of_day` those of one actor on one day. `end_user_id` is the
 * player of the project `slug` whom the target names.
 */
export const auditRecords = {
  title: 'audit records',
  placement: 'managed',
  since: 7,
  columns: {
    account_id: 'text',
    position: 'integer',
    at: 'integer',
    actor_kind: 'text',
    actor_id: 'text',
    actor_name: 'text?',
    action: 'text',
    target: 'text',
    detail: 'text',
    request_id: 'text',
    of_day: 'integer',
    bytes: 'integer',
    slug: 'text?',
    end_user_id: 'text?',
  },
  key: ['account_id', 'position'],
  indexes: {
    audit_records_by_action: '(account_id, action, position)',
    audit_records_by_actor: '(account_id, actor_id, position)',
    audit_records_by_actor_and_action: '(account_id, actor_id, action, position)',
    audit_records_by_player: '(account_id, slug, end_user_id) WHERE end_user_id IS NOT NULL',
    audit_records_by_time: '(at)',
  },
  owner: 'account_id',
} as const satisfies SharedTable;
