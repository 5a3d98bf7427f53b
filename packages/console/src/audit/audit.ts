/** Reads the audit trail. The service filters by action and actor; projects and times are filtered here. */
import { ApiError } from '@holdfast/contract/call';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { baseUrl } from '../api/addresses.ts';
import { call } from '../api/http.ts';
import { cursorPaging } from '../api/queries.ts';
import { keyOf } from '../api/query-key.ts';
import { authorizedFetch } from '../api/session.ts';
import { type AuditFilter, type AuditRecord, type LocalFilter, localFilterOf, matches } from './audit-filter.ts';

/** A page has at least so many records, unless so many pages of the service have fewer. */
const shownMin = 20;
const pagesMax = 10;

export interface AuditPage {
  readonly items: readonly AuditRecord[];
  readonly cursor: string | null;
  /** The time of the last record that was read, if older ones are left. */
  readonly searchedTo: string | undefined;
}

export function auditQuery(accountId: string, filter: AuditFilter) {
  const local = localFilterOf(filter);
  const { action, actor } = filter;
  return infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listAuditRecords', { accountId }, action, actor, local.project, local.since, local.until),
    queryFn: ({ pageParam }) =>
      readMatching(accountId, { ...(action && { action }), ...(actor && { actor }) }, local, pageParam),
  });
}

/** Reads on until enough records match, or none further back can. */
async function readMatching(
  accountId: string,
  query: Pick<AuditFilter, 'action' | 'actor'>,
  local: LocalFilter,
  start: string | null,
): Promise<AuditPage> {
  const items: AuditRecord[] = [];
  let cursor = start;
  for (let pages = 1; ; pages++) {
    const page = await call('listAuditRecords', { params: { accountId }, query: { ...query, cursor } });
    items.push(...page.items.filter((record) => matches(record, local)));
    const last = page.items.at(-1);
    if (page.cursor === null || last === undefined || Date.parse(last.at) < local.since) {
      return { items, cursor: null, searchedTo: undefined };
    }
    cursor = page.cursor;
    if (items.length >= shownMin || pages >= pagesMax) return { items, cursor, searchedTo: last.at };
  }
}

/** Returns all matching records, one JSON object per line. Rejects with `ApiError`. */
export async function auditExport(accountId: string, filter: AuditFilter): Promise<string> {
  const { action, actor } = filter;
  const query = new URLSearchParams({ ...(action && { action }), ...(actor && { actor }) });
  const headers = { Accept: 'application/x-ndjson' };
  const response = await authorizedFetch(`${baseUrl}/v1/${accountId}/audit?${query}`, { headers });
  if (!response.ok) throw await ApiError.of(response);
  const local = localFilterOf(filter);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && matches(JSON.parse(line), local));
  return lines.map((line) => `${line}\n`).join('');
}
