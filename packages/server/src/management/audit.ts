/**
 * The audit trail of an account: who changed what, and when.
 *
 * @see docs/contract.md §8.10
 */

import type { AuditRecordBody } from '@holdfast/contract';
import { formatTime } from '../common/requests/time.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { AuditFilter, AuditRecord } from '../storage/contract/audit.ts';
import type { Store } from '../storage/store.ts';
import type { NameOf } from './display-names.ts';

/** Deletes some of the records older than so many days. Returns how many; 0 if none is left. */
export function forgetAuditRecords(store: Pick<Store, 'sweepAuditRecords'>, nowMs: number, days: number): Promise<number> {
  return store.sweepAuditRecords(nowMs - days * dayMilliseconds);
}

/** Returns an audit record in the form of the API. An API key keeps its name at that time. */
export function auditRecordBody(
  accountId: string,
  { position, at, actor, action, target, detailText, requestId }: AuditRecord,
  nameOf: NameOf,
): AuditRecordBody {
  const { kind, id, name } = actor;
  if (kind === 'end_user') throw new Error('what players do to themselves is not recorded');
  const detail = JSON.parse(detailText) as AuditRecordBody['detail'];
  return {
    accountId,
    id: String(position),
    at: formatTime(at),
    actor: { kind, id, name: kind === 'api_key' ? name : nameOf(actor) },
    action,
    target,
    detail,
    requestId,
  };
}

/** Records read and held at a time: at most 100 KB, unless their details are unusually long. */
const portionItemsMax = 100;

/** Returns all records below a position, newest first, in portions. Each portion is read on demand. */
export async function* auditPortions(
  store: Pick<Store, 'listAuditRecords'>,
  accountId: string,
  filter: AuditFilter,
  from: number | null,
): AsyncGenerator<readonly AuditRecord[], void, undefined> {
  let before = from;
  for (let hasMore = true; hasMore; ) {
    const page = await store.listAuditRecords(accountId, filter, { before, itemsMax: portionItemsMax });
    hasMore = page.hasMore;
    before = page.records.at(-1)?.position ?? null;
    if (page.records.length > 0) yield page.records;
  }
}
