/** The table of proposals. */
import type { SharedTable } from '../schema/declaration.ts';

/** The migration that added their times. */
const timesSince = 26;

export const proposalTables = {
  /**
   * Proposed changes to public state. `author`, `editors`, `changed_by`, `applied_by` and `approvals` are JSON. `author_key` names the
   * author whatever its name. `is_of_reader` is 1 if the author could not write there. `involved` is a JSON list of the hashes of all people
   * who may not approve it: authors, editors, and creators of service accounts among them. `ops` is null once it is withdrawn. `bytes` is
   * the size that the row adds to the account's storage.
   *
   * `next_at` is when the next thing happens to it by itself, or is tried again; null if nothing will. `scheduler` is the JSON of the
   * `Proposer` who set the times, `scheduled_by` that of its `Author`. `applied_from` is the version before, 0 for none, and null before
   * migration 26. `ended_at` is null while the proposal is open or still to be reverted. `failure` is JSON.
   */
  proposals: {
    title: 'proposals',
    placement: 'managed',
    since: 24,
    columns: {
      account_id: 'text',
      proposal_id: 'text',
      slug: 'text',
      environment: 'integer',
      revision: 'integer',
      state: 'text',
      base_version: 'integer?',
      ops: 'text?',
      comment: 'text?',
      author: 'text',
      author_key: 'text',
      is_of_reader: 'integer',
      editors: 'text',
      changed_by: 'text',
      involved: 'text',
      approvals: 'text',
      repeat_key: 'bytes?',
      request: 'bytes?',
      created_at: 'integer',
      updated_at: 'integer',
      ended_at: 'integer?',
      applied_version: 'integer?',
      applied_by: 'text?',
      bytes: 'integer',
      apply_at: { since: timesSince, type: 'integer?' },
      revert_at: { since: timesSince, type: 'integer?' },
      next_at: { since: timesSince, type: 'integer?' },
      scheduled_by: { since: timesSince, type: 'text?' },
      scheduler: { since: timesSince, type: 'text?' },
      applied_at: { since: timesSince, type: 'integer?' },
      applied_from: { since: timesSince, type: 'integer?' },
      reverted_version: { since: timesSince, type: 'integer?' },
      reverted_at: { since: timesSince, type: 'integer?' },
      failure: { since: timesSince, type: 'text?' },
    },
    key: ['account_id', 'proposal_id'],
    indexes: {
      proposals_by_environment: '(account_id, slug, environment, created_at, proposal_id)',
      proposals_by_repeat: '(account_id, repeat_key)',
      proposals_by_end: '(ended_at)',
      proposals_by_time: { since: timesSince, on: '(account_id, next_at) WHERE next_at IS NOT NULL', isOfLarge: true },
    },
    owner: 'account_id',
    isOfProject: true,
  },
  /** A row for each account with a proposal that has a `next_at`, never later than the earliest of them unless other accounts come first. */
  proposal_turns: {
    title: 'turns of proposals',
    placement: 'managed',
    since: timesSince,
    columns: { account_id: 'text', next_at: 'integer' },
    key: ['account_id'],
    indexes: { proposal_turns_by_time: '(next_at)' },
    owner: 'account_id',
    isUpdatedOften: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
