/** The audit trail of an account. */
import type { Operation } from '../operation.ts';
import { admission, paging } from './shared.ts';

export const auditOperations = {
  listAuditRecords: {
    method: 'GET',
    path: '/v1/{accountId}/audit',
    tag: 'Accounts',
    summary: 'List who changed what, newest first',
    description:
      'Returns a page of the audit trail: changes of the account, its projects, keys, settings and users, and what developers did to players and their saves. With `Accept: application/x-ndjson`, all records come, a line of JSON each, from `cursor` on if it is given. The filters hold for both. New records never move those of a page. Beyond 1,000 records of one actor and UTC day, one with the action `audit.summarize` counts the rest: its `detail` has each action with `to`, which is `{count, last, lastAt}`. When a player is erased, `erased-{requestId}` replaces the id in all records of the project, and the record of the erasure keeps `idHash`, a hash of the id with a key of the installation.',
    access: ['developer'],
    needs: 'read_settings',
    query: {
      limit: paging.limit,
      cursor: paging.cursor,
      action: { type: 'string', description: 'Records of this action alone.', example: 'project.delete' },
      actor: { type: 'string', description: 'Records of the actor with this id alone.', example: 'operator' },
    },
    success: { 200: { description: 'A page, or all records as lines.', schema: 'AuditListBody', lines: true } },
    codes: admission,
  },
} as const satisfies Record<string, Operation>;
