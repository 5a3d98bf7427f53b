/** The table of the schemas that states have to fit. */
import type { SharedTable } from './declaration.ts';

export const schemaTables = {
  /**
   * Every version of every schema; the newest one is current. A row without `schema` uses up a version: the schema was deleted then.
   * `instructions` is what its regular expressions compile to. `bytes` is what the row counts with in what the account stores.
   */
  shapes: {
    title: 'schemas',
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
