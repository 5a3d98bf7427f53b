/** The audit trail on the wire: as pages, or complete as lines. */

import { type AuditRecordBody, isAuditAction } from '@holdfast/contract';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import { auditPortions, auditRecordBody } from '../../management/audit.ts';
import type { DisplayNames } from '../../management/display-names.ts';
import type { AuditFilter, AuditRecord } from '../../storage/contract/audit.ts';
import type { Page } from '../../storage/contract/pages.ts';
import type { Store } from '../../storage/store.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { jsonReply, type Reply } from '../replies/reply.ts';
import { accepts } from '../wire/accepts.ts';
import { pageBody, parsePageRequest, single } from '../wire/page.ts';

/** The longest actor id. */
const actorCharactersMax = 512;

/** Returns the audit trail's handler. */
export function auditHandlers(
  store: Pick<Store, 'listAuditRecords'>,
  names: Pick<DisplayNames, 'ofActors'>,
): HandlersOf<'listAuditRecords'> {
  const bodiesOf = async (accountId: string, records: readonly AuditRecord[]): Promise<AuditRecordBody[]> => {
    const nameOf = await names.ofActors(
      accountId,
      records.map(({ actor }) => actor),
    );
    return records.map((record) => auditRecordBody(accountId, record, nameOf));
  };

  return {
    async listAuditRecords({ params: { accountId }, query, headers }) {
      const form = parseFormText(query);
      const filter = readFilter(form);
      const scope = `audit trail of ${accountId}`;
      const { after, itemsMax } = parsePageRequest(form, scope);
      const before = after === null ? null : after.createdAt;
      if (accepts(headers.accept, 'application/x-ndjson'))
        return linesReply(auditPortions(store, accountId, filter, before), (records) => bodiesOf(accountId, records));
      const { records, hasMore } = await store.listAuditRecords(accountId, filter, { before, itemsMax });
      const last = records.at(-1);
      const page: Page<AuditRecordBody> = {
        items: await bodiesOf(accountId, records),
        next: hasMore && last !== undefined ? { createdAt: last.position, tie: '-' } : null,
      };
      return jsonReply(
        200,
        pageBody(page, scope, (body) => body),
        neverKept,
      );
    },
  };
}

function readFilter(query: URLSearchParams): AuditFilter {
  const action = single(query, 'action') ?? null;
  const actorId = single(query, 'actor') ?? null;
  if (action !== null && !isAuditAction(action)) {
    throw new Refusal('validation_error', `query parameter action: ${quoted(action)} is not an action of the audit trail`);
  }
  if (actorId !== null && (actorId === '' || actorId.length > actorCharactersMax)) {
    throw new Refusal('validation_error', `query parameter actor: must have 1 to ${actorCharactersMax} characters`);
  }
  return { action, actorId };
}

/** Each portion is read when the client has taken the previous one. */
function linesReply(
  portions: AsyncIterable<readonly AuditRecord[]>,
  bodiesOf: (records: readonly AuditRecord[]) => Promise<readonly AuditRecordBody[]>,
): Reply<200, never> {
  async function* texts(): AsyncGenerator<Iterable<string>, void, undefined> {
    for await (const records of portions) {
      const bodies = await bodiesOf(records);
      yield [bodies.map((body) => `${JSON.stringify(body)}\n`).join('')];
    }
  }
  return { status: 200, headers: [...neverKept, 'Content-Type', 'application/x-ndjson'], body: texts() };
}
