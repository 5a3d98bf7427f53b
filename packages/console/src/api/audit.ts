/** Reads the audit trail. */
import { ApiError, type CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { baseUrl } from './addresses.ts';
import { call } from './http.ts';
import { cursorPaging } from './queries.ts';
import { keyOf } from './query-key.ts';
import { authorizedFetch } from './session.ts';

export type AuditRecord = CallResult<'listAuditRecords'>['items'][number];

export interface AuditFilter {
  readonly action?: string;
  /** The id of the actor. */
  readonly actor?: string;
}

export const auditQuery = (accountId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listAuditRecords', { accountId }, filter.action, filter.actor),
    queryFn: ({ pageParam }) =>
      call('listAuditRecords', { params: { accountId }, query: { ...filter, cursor: pageParam } }),
  });

/** Returns all matching records, one JSON object per line. Rejects with `ApiError`. */
export async function auditExport(accountId: string, filter: AuditFilter): Promise<string> {
  const query = new URLSearchParams({ ...filter });
  const headers = { Accept: 'application/x-ndjson' };
  const response = await authorizedFetch(`${baseUrl}/v1/${accountId}/audit?${query}`, { headers });
  if (!response.ok) throw await ApiError.of(response);
  return response.text();
}
