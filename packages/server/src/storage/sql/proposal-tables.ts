/** The table of proposals. */
import type { SharedTable } from './declaration.ts';

export const proposalTables = {
  /**
   * Proposed changes to public state. `author`, `editors`, `changed_by`, `applied_by` and `approvals` are JSON. `author_key` names the
   * author whatever its name. `is_of_reader` is 1 if the author could not write there. `involved` is a JSON list of the hashes of all people
   * who may not approve it: authors, editors, and creators of service accounts among them. `ops` is null once it is withdrawn. `bytes` is
   * the size that the row adds to the account's storage.
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
    },
    key: ['account_id', 'proposal_id'],
    indexes: {
      proposals_by_environment: '(account_id, slug, environment, created_at, proposal_id)',
      proposals_by_repeat: '(account_id, repeat_key)',
      proposals_by_end: '(ended_at)',
    },
    owner: 'account_id',
    isOfProject: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
