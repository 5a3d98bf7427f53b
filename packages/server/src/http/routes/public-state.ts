/** Public state on the wire. @see docs/contract.md §5.2 */
import type { HistoryItemBody } from '@holdfast/contract';
import type { Principal } from '../../access/principal.ts';
import { formatTime } from '../../common/time.ts';
import { parseFormText } from '../../oauth/parameters.ts';
import { authorOf } from '../../state/author.ts';
import type { Precondition } from '../../state/precondition.ts';
import type { PublicStates } from '../../state/public-state.ts';
import type { HistoryItem, PagePosition, PublicState, PublicStateKey } from '../../storage/store.ts';
import type { Exchange, Handlers } from '../exchange.ts';
import { type Reply, textReply } from '../reply.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';
import { readReply, recordHead, recordReply, type SentRecord, stateCachingHeaders } from './record-reply.ts';
import { type RecordText, recordPieces } from './record-stream.ts';

/** Replies of current records are kept with their record, up to this size; a large one is cheaper to print than to keep. */
const keptReplyCharactersMax = 65_536;

const key = ({ params }: Exchange) => params as PublicStateKey;
const precondition = (exchange: Exchange) => exchange.precondition as Precondition;
const bodyBytes = (exchange: Exchange) => exchange.bodyBytes as Uint8Array;
const author = (exchange: Exchange) => authorOf(exchange.principal as Principal);

/** The handlers of public state. */
export function publicStateHandlers(states: PublicStates): Handlers {
  const keptReplies = new WeakMap<PublicState, Reply>();

  const currentReply = (record: PublicState): Reply => {
    const kept = keptReplies.get(record);
    if (kept !== undefined) return kept;
    const reply = replyOf(record);
    if (record.stateText.length <= keptReplyCharactersMax) keptReplies.set(record, reply);
    return reply;
  };

  return {
    readPublicState: (exchange) => {
      const record = states.read(key(exchange));
      const ifNoneMatch = exchange.headers['if-none-match'];
      return record instanceof Promise
        ? record.then((later) => readReply(later, ifNoneMatch, currentReply))
        : readReply(record, ifNoneMatch, currentReply);
    },
    replacePublicState: async (exchange) =>
      replyOf(await states.replace(key(exchange), precondition(exchange), bodyBytes(exchange), author(exchange))),
    patchPublicState: async (exchange) =>
      replyOf(await states.patch(key(exchange), precondition(exchange), bodyBytes(exchange), author(exchange))),
    readPublicStateVersion: async (exchange) =>
      replyOf(await states.readVersion(key(exchange), exchange.params.version as number)),
    listPublicStateHistory: async (exchange) => {
      const place = key(exchange);
      const scope = `history of ${place.accountId}/${place.slug}/${place.environment}`;
      const { after, itemsMax } = parsePageRequest(parseFormText(exchange.query), scope);
      const { items, hasMore } = await states.history(place, { before: after && versionOf(after), itemsMax });
      const last = items.at(-1);
      const next = hasMore && last !== undefined ? positionOf(last) : null;
      const text = JSON.stringify(pageBody({ items, next }, scope, historyItem));
      return textReply(200, 'application/json', text, stateCachingHeaders);
    },
    listPublicStateVersions: async (exchange) => {
      const runs = states.listVersions(key(exchange));
      const first = await runs.next(); // before the first byte goes out, so that a missing project is still a 404
      return {
        status: 200,
        headers: [...stateCachingHeaders, 'Content-Type', 'application/json'],
        body: arrayText(first.done ? [] : first.value, runs),
      };
    },
  };
}

/** A version is a place in the history by itself. */
const positionOf = ({ version, writtenAt }: HistoryItem): PagePosition => ({ createdAt: writtenAt, tie: String(version) });

/** A cursor of this history that nobody was given leads before its first version. */
const versionOf = ({ tie }: PagePosition): number => (/^[1-9][0-9]{0,15}$/.test(tie) ? Number(tie) : 0);

/** @see docs/contract.md §5.4 */
const historyItem = ({ version, comment, stateBytes, writtenAt, author }: HistoryItem): HistoryItemBody => ({
  ...{ version, comment, stateSizeBytes: stateBytes, createdAt: formatTime(writtenAt), author },
});

const replyOf = (record: PublicState & SentRecord): Reply => recordReply(record, recordTail(record));

function recordTail({ comment, stateBytes }: PublicState): string {
  return `,"comment":${comment === null ? 'null' : JSON.stringify(comment)},"stateSizeBytes":${stateBytes}}`;
}

const textOf = (record: PublicState): RecordText => ({
  head: recordHead(record),
  stateText: record.stateText,
  tail: recordTail(record),
});

/** A JSON array of records in portions. */
async function* arrayText(
  first: readonly PublicState[],
  rest: AsyncIterable<readonly PublicState[]>,
): AsyncGenerator<Iterable<string>, void, undefined> {
  yield recordPieces(first.map(textOf), '[');
  for await (const run of rest) yield recordPieces(run.map(textOf), ',');
  yield [']'];
}
