/** The audit trail of an account. */
import type { Operation } from '../operation.ts';
import { admission, paging } from './shared.ts';

export const auditOperations = {
  listAuditRecords: {
    method: 'GET',
    path: '/v1/{accountId}/audit',
    tag: 'Accounts',
    summary: 'List audit records, newest first',
    description:
      "Returns a page of the audit trail: changes to the account, its projects, keys, settings and users, and developers' changes to players and their saves. With `Accept: application/x-ndjson`, it returns all records, one JSON object per line, starting at `cursor` if given. The filters apply to both. New records never shift a page. Over 1,000 records for one actor and UTC day, a single record with the action `audit.summarize` counts the rest: its `detail` lists each action with `to`, which is `{count, last, lastAt}`. When a player is erased, `erased-{requestId}` replaces the id in all records of the project. The record of the erasure keeps `idHash`, a hash of the id made with a key of the installation.",
    access: ['developer'],
    needs: 'read_settings',
    query: {
      limit: paging.limit,
      cursor: paging.cursor,
      action: { type: 'string', description: 'Only records with this action.', example: 'project.delete' },
      actor: { type: 'string', description: 'Only records of the actor with this id.', example: 'operator' },
    },
    success: { 200: { description: 'A page, or all records as lines.', schema: 'AuditListBody', lines: true } },
    codes: admission,
  },
} as const satisfies Record<string, Operation>;
