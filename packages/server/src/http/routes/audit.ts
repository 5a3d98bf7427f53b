/** The audit trail on the wire: as pages, or complete as lines. */

import { isAuditAction } from '@holdfast/contract';
import { parseFormText } from '../../common/form-parameters.ts';
import { quoted, Refusal } from '../../common/refusal.ts';
import { auditPortions, auditRecordBody } from '../../management/audit.ts';
import type { AuditFilter, AuditRecord, AuditStore } from '../../storage/contract/audit-store.ts';
import type { Page } from '../../storage/store.ts';
import { neverKept } from '../caching.ts';
import type { HandlersOf } from '../operation-request.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { accepts } from '../wire/accepts.ts';
import { pageBody, parsePageRequest, single } from '../wire/page.ts';

/** Records name people: intermediaries must not cache them. */
/** The longest actor id. */
const actorCharactersMax = 512;

/** Returns the audit trail's handler. */
export function auditHandlers(store: Pick<AuditStore, 'listAuditRecords'>): HandlersOf<'listAuditRecords'> {
  return {
    async listAuditRecords({ params: { accountId }, query, headers }) {
      const form = parseFormText(query);
      const filter = readFilter(form);
      const scope = `audit trail of ${accountId}`;
      const { after, itemsMax } = parsePageRequest(form, scope);
      const before = after === null ? null : after.createdAt;
      if (accepts(headers.accept, 'application/x-ndjson'))
        return linesReply(accountId, auditPortions(store, accountId, filter, before));
      const { records, hasMore } = await store.listAuditRecords(accountId, filter, { before, itemsMax });
      const last = records.at(-1);
      const page: Page<AuditRecord> = {
        items: records,
        next: hasMore && last !== undefined ? { createdAt: last.position, tie: '-' } : null,
      };
      return jsonReply(
        200,
        pageBody(page, scope, (record) => auditRecordBody(accountId, record)),
        neverKept,
      );
    },
  };
}

function readFilter(query: URLSearchParams): AuditFilter {
  const action = single(query, 'action') ?? null;
  const actorId = single(query, 'actor') ?? null;
  if (action !== null && !isAuditAction(action)) {
    throw new Refusal('validation_error', `query parameter action: ${quoted(action)} is no action of the audit trail`);
  }
  if (actorId !== null && (actorId === '' || actorId.length > actorCharactersMax)) {
    throw new Refusal('validation_error', `query parameter actor: must have 1 to ${actorCharactersMax} characters`);
  }
  return { action, actorId };
}

/** Each portion is read when the client has taken the previous one. */
function linesReply(accountId: string, portions: AsyncIterable<readonly AuditRecord[]>): Reply<200, never> {
  async function* texts(): AsyncGenerator<Iterable<string>, void, undefined> {
    for await (const records of portions) {
      yield [records.map((record) => `${JSON.stringify(auditRecordBody(accountId, record))}\n`).join('')];
    }
  }
  return { status: 200, headers: [...neverKept, 'Content-Type', 'application/x-ndjson'], body: texts() };
}
