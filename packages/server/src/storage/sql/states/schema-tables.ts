/** The table of schemas. */
import type { SharedTable } from '../schema/declaration.ts';

export const schemaTables = {
  /**
   * Every version of every schema; the newest one is current. A row without `schema` marks a deletion, which uses up a version.
   * `instructions` is the size of its compiled regular expressions. `bytes` is the size that the row adds to the account's storage.
   */
  shapes: {
    title: 'schemas',
    placement: 'managed',
    since: 10,
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      kind: 'text',
      version: 'integer',
      mode: 'text',
      schema: 'text?',
      instructions: 'integer',
      comment: 'text?',
      author: 'text?',
      written_at: 'integer',
      bytes: 'integer',
    },
    key: ['account_id', 'slug', 'environment', 'kind', 'version'],
    owner: 'account_id',
    isOfProject: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
