/** The tables of accounts and their people, declared as in tables.ts. */
import type { SharedTable } from '../schema/declaration.ts';

/**
 * A null limit means the installation's, and 0 is unlimited. `projects` counts the account's projects. `require_second_factor` is 0 or 1.
 * `audit_position` is the position of the newest audit record, and `audit_bytes` the size of all audit records; `schema_bytes` is the
 * size of all versions of all schemas, `proposal_bytes` that of all proposals. From `suspended_at` on, the account is not served; access
 * tokens from before `signed_out_at` are rejected. `webhook_networks` is a JSON list of private networks that its webhooks may reach.
 */
export const accountTable = {
  title: 'accounts',
  placement: 'reference',
  since: 1,
  columns: {
    account_id: 'text',
    name: 'text',
    idp_tenant_id: 'text',
    created_at: 'integer',
    projects: 'integer',
    api_requests_max: 'integer?',
    projects_max: 'integer?',
    end_users_max: 'integer?',
    storage_bytes_max: 'integer?',
    audit_position: { since: 7, type: 'integer', default: 0 },
    audit_bytes: { since: 7, type: 'integer', default: 0 },
    require_second_factor: { since: 8, type: 'integer', default: 0 },
    schema_bytes: { since: 10, type: 'integer', default: 0 },
    suspended_at: { since: 15, type: 'integer?' },
    signed_out_at: { since: 15, type: 'integer?' },
    requests_per_minute_max: { since: 17, type: 'integer?' },
    webhook_networks: { since: 23, type: 'text?' },
    proposal_bytes: { since: 24, type: 'integer', default: 0 },
  },
  key: ['account_id'],
  indexes: { accounts_by_creation: '(created_at, account_id)' },
} as const satisfies SharedTable;

/**
 * The owner of each account, at most one account per developer, as nodes of 0.1.0 see it. Rows are deleted with the account, in the same
 * step. An owner without a member record is listed only here (members.ts). The time when a developer was last seen is accurate to an
 * hour.
 */
export const developerTable = {
  title: 'developers',
  placement: 'managed',
  since: 1,
  columns: {
    developer_hash: 'bytes',
    issuer: 'text',
    subject: 'text',
    account_id: 'text',
    last_seen_at: { since: 2, type: 'integer?' },
  },
  key: ['developer_hash'],
  indexes: { developers_by_account: '(account_id)' },
  owner: 'account_id',
} as const satisfies SharedTable;

/**
 * The members of accounts. `environments` is a JSON list of names; null means all environments. `name` and `email` are from the last
 * sign-in. A developer of an account without a row here is an owner who has not been seen since before this table, and gets one
 * (members.ts).
 */
export const memberTable = {
  title: 'members',
  placement: 'managed',
  since: 5,
  columns: {
    account_id: 'text',
    developer_hash: 'bytes',
    member_id: 'text',
    issuer: 'text',
    subject: 'text',
    role: 'text',
    environments: 'text?',
    name: 'text?',
    email: 'text?',
    joined_at: 'integer',
    last_seen_at: 'integer?',
  },
  key: ['account_id', 'developer_hash'],
  indexes: { members_by_id: '(account_id, member_id)', members_by_developer: '(developer_hash)' },
  owner: 'account_id',
} as const satisfies SharedTable;

/**
 * Links that make the person who opens them a member of an account. `inviter` and `maker_id`, a member's id, are null for the operator's
 * invitations. If `email` is set, only a person with that address can use the link.
 */
export const invitationTable = {
  title: 'invitations',
  placement: 'managed',
  since: 3,
  columns: {
    invitation_hash: 'bytes',
    invitation_id: 'text',
    account_id: 'text',
    role: 'text',
    inviter: 'text?',
    created_at: 'integer',
    expires_at: 'integer',
    environments: { since: 5, type: 'text?' },
    email: { since: 5, type: 'text?' },
    maker_id: { since: 5, type: 'text?' },
  },
  key: ['invitation_hash'],
  indexes: {
    invitations_by_account: '(account_id, created_at, invitation_id)',
    invitations_by_expiry: '(expires_at)',
  },
  owner: 'account_id',
} as const satisfies SharedTable;
