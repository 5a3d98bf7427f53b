/** Public state on the wire: the current record, its versions and its history. @see docs/contract.md §5.2 */
import type { HistoryItemBody } from '@holdfast/contract';
import { mapAwaitable } from '../../common/async/awaitable.ts';
import { portionsBy } from '../../common/async/portions.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { formatTime } from '../../common/requests/time.ts';
import { authorBody, type DisplayNames, type NameOf } from '../../management/display-names.ts';
import type { PublicStates } from '../../state/public-state.ts';
import { stateWriteOf } from '../../state/state-write.ts';
import { isAdmitted } from '../../storage/caches/cache-admission.ts';
import type { PagePosition } from '../../storage/contract/pages.ts';
import type { HistoryItem, PublicState } from '../../storage/contract/public-states.ts';
import type { Handlers } from '../operation-request.ts';
import { largeStateCachingHeaders, stateCachingHeaders } from '../replies/caching.ts';
import { compressIfLong } from '../replies/compression.ts';
import { hasWeakTag, unchangedReply } from '../replies/conditional-read.ts';
import {
  presentReply,
  type RecordReply,
  type RecordText,
  readReply,
  recordHead,
  recordPieces,
  recordReply,
  type SentRecord,
} from '../replies/record-reply.ts';
import { textReply } from '../replies/reply.ts';
import { pageBody, parsePageRequest, positionVersion } from '../wire/page.ts';

/**
 * Replies for records that are read often are kept with their record, up to this size; a larger reply is cheaper to recreate than to keep.
 * If nothing else keeps the record, its reply would outlive it: only a full collection removes it from the `WeakMap`.
 */
const keptReplyCharactersMax = 65_536;

/** The handlers of public state. */
export function publicStateHandlers(states: PublicStates, names: Pick<DisplayNames, 'ofAuthors'>): Handlers {
  const keptReplies = new WeakMap<PublicState, RecordReply>();

  const currentReply = (record: PublicState): RecordReply => {
    const kept = keptReplies.get(record);
    if (kept !== undefined) return kept;
    const reply = publicStateReply(record);
    if (record.stateText.length <= keptReplyCharactersMax && isAdmitted()) keptReplies.set(record, reply);
    return reply;
  };

  return {
    readPublicState: ({ params, headers }) =>
      mapAwaitable(states.read(params), (record) => readReply(record, headers, currentReply)),
    replacePublicState: async (request) =>
      publicStateReply(await states.replace(request.params, stateWriteOf('PUT', request))),
    patchPublicState: async (request) =>
      publicStateReply(await states.patch(request.params, stateWriteOf('PATCH', request))),
    readPublicStateVersion: async ({ params, headers }) =>
      presentReply(await states.readVersion(params, params.version), headers, publicStateReply),
    listPublicStateHistory: async ({ params, query, principal }) => {
      const scope = `history of ${params.accountId}/${params.slug}/${params.environment}`;
      const { after, itemsMax } = parsePageRequest(parseFormText(query), scope);
      const { items, hasMore } = await states.history(params, { before: after && positionVersion(after), itemsMax });
      const last = items.at(-1);
      const next = hasMore && last !== undefined ? positionOf(last) : null;
      const authors = items.map(({ author }) => author);
      const nameOf = await names.ofAuthors(principal, params.accountId, authors);
      const text = JSON.stringify(pageBody({ items, next }, scope, (item) => historyItem(item, nameOf)));
      return textReply(200, 'application/json', text, stateCachingHeaders);
    },
    listPublicStateVersions: async ({ params, headers }) => {
      const runs = states.listVersions(params);
      const { value } = await runs.next(); // read before the head is sent, so that a missing project is a 404
      const begun = value === undefined ? [] : [value];
      // Versions never change, so the newest version identifies the list. The tag is weak, since both codings share it.
      const tag = `W/"${value?.[0]?.version ?? 0}"` as const;
      const described = [...largeStateCachingHeaders, 'ETag', tag];
      if (hasWeakTag(headers, tag)) return unchangedReply(described);
      const reply = {
        status: 200 as const,
        headers: [...described, 'Content-Type', 'application/json'],
        body: arrayText(begun, runs),
      };
      return compressIfLong(reply, headers['accept-encoding']);
    },
  };
}

/** The version alone is the position in this history. */
const positionOf = ({ version, writtenAt }: HistoryItem): PagePosition => ({ createdAt: writtenAt, tie: String(version) });

/** @see docs/contract.md §5.4 */
const historyItem = (
  { version, comment, stateBytes, writtenAt, author }: HistoryItem,
  nameOf: NameOf,
): HistoryItemBody => ({
  version,
  comment,
  stateSizeBytes: stateBytes,
  createdAt: formatTime(writtenAt),
  author: authorBody(author, nameOf),
});

/** Returns the reply with a version of public state. */
export const publicStateReply = (record: PublicState & SentRecord): RecordReply => recordReply(record, recordTail(record));

function recordTail({ comment, stateBytes }: PublicState): string {
  return `,"comment":${comment === null ? 'null' : JSON.stringify(comment)},"stateSizeBytes":${stateBytes}}`;
}

const textOf = (record: PublicState): RecordText => ({
  head: recordHead(record),
  stateText: record.stateText,
  tail: recordTail(record),
});

/** A JSON array of records in portions: first those of `begun`, which are removed from it so that they can be freed, then the rest. */
function arrayText(
  begun: (readonly PublicState[])[],
  rest: AsyncIterator<readonly PublicState[], undefined>,
): AsyncIterable<Iterable<string>> {
  let separator = '[';
  let isOver = false;
  return portionsBy(async () => {
    if (isOver) return undefined;
    const portion = begun.pop() ?? (await rest.next()).value;
    isOver = portion === undefined;
    const pieces = portion === undefined ? [separator === '[' ? '[]' : ']'] : recordPieces(portion.map(textOf), separator);
    separator = ',';
    return pieces;
  });
}
