/** User state on the wire: for players themselves, and for developers. @see docs/contract.md §6.2 and §6.3 */
import { hash } from 'node:crypto';
import type { SaveAuthorBody, SaveHistoryItemBody } from '@holdfast/contract';
import { ownState } from '../../access/authorize.ts';
import { portionsBy } from '../../common/async/portions.ts';
import { readPlayerIdSegment } from '../../common/ids/player-id.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { noProject, Refusal } from '../../common/requests/refusal.ts';
import { formatTime } from '../../common/requests/time.ts';
import type { DisplayNames, NameOf } from '../../management/display-names.ts';
import { userStateAuthorOf } from '../../state/documents/document-owner.ts';
import { stateWriteOf } from '../../state/state-write.ts';
import type { UserStates } from '../../state/user-state.ts';
import type { Page, PagePosition, PageRequest } from '../../storage/contract/pages.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type {
  ListedUserState,
  UserState,
  UserStateAuthor,
  UserStateHistoryItem,
  UserStateKey,
} from '../../storage/contract/user-states.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { stateCachingHeaders } from '../replies/caching.ts';
import {
  presentReply,
  type ReadHeaders,
  type ReadReply,
  type RecordReply,
  type RecordText,
  readReply,
  recordPieces,
  recordReply,
  type SentRecord,
} from '../replies/record-reply.ts';
import { emptyReply, textReply } from '../replies/reply.ts';
import { formatCursor } from '../wire/cursor.ts';
import { pageBody, parsePageRequest, positionVersion } from '../wire/page.ts';

/** The handlers of user state. */
export function userStateHandlers(
  states: UserStates,
  store: Pick<Store, 'listUserStates'>,
  names: Pick<DisplayNames, 'ofAuthors'>,
): Handlers {
  const read = async (key: UserStateKey, headers: ReadHeaders): Promise<ReadReply> =>
    readReply(await states.read(key), headers, replyOf);

  return {
    readUserState: ({ params, principal, headers }) => read(ownState(params, principal), headers),
    patchUserState: async (request) => {
      const key = ownState(request.params, request.principal);
      return replyOf(await states.patch(key, stateWriteOf('PATCH', request)));
    },
    readPlayerState: async ({ params, headers }) =>
      read({ ...params, playerId: playerIdOf(params.playerIdSegment) }, headers),
    patchPlayerState: async (request) => {
      const key = { ...request.params, playerId: playerIdOf(request.params.playerIdSegment) };
      const write = { ...stateWriteOf('PATCH', request), author: userStateAuthorOf(request.principal), by: request.by() };
      return replyOf(await states.patch(key, write));
    },
    listPlayerStateHistory: async ({ params, query, principal }) => {
      const key = { ...params, playerId: playerIdOf(params.playerIdSegment) };
      // The hash of the player id ties a cursor to its player without revealing the id.
      const scope = `history of ${key.accountId}/${key.slug}/${key.environment}/${hash('sha256', key.playerId)}`;
      const { after, itemsMax } = parsePageRequest(parseFormText(query), scope);
      const { items, hasMore } = await states.history(key, { before: after && positionVersion(after), itemsMax });
      const last = items.at(-1);
      const next = hasMore && last !== undefined ? { createdAt: last.writtenAt, tie: String(last.version) } : null;
      const authors = items.map(({ author }) => author);
      const nameOf = await names.ofAuthors(principal, key.accountId, authors);
      const body = pageBody({ items, next }, scope, (item) => historyItem(item, key.playerId, nameOf));
      return textReply(200, 'application/json', JSON.stringify(body), stateCachingHeaders);
    },
    readPlayerStateVersion: async ({ params, headers }) => {
      const key = { ...params, playerId: playerIdOf(params.playerIdSegment) };
      return presentReply(await states.readVersion(key, params.version), headers, versionReply);
    },
    deletePlayerState: async ({ params, by }) => {
      await states.remove(by(), params, playerIdOf(params.playerIdSegment));
      return emptyReply(204, stateCachingHeaders);
    },
    listPlayerStates: async ({ params: key, query }) => {
      const scope = `user states of ${key.accountId}/${key.slug}/${key.environment}`;
      return listReply(store, key, parsePageRequest(parseFormText(query), scope), scope);
    },
  };
}

/** Refuses `not_found` for an invalid id: such a player cannot exist. @see docs/contract.md §6.1 */
function playerIdOf(segment: string): string {
  const id = readPlayerIdSegment(segment);
  if (id === undefined) throw new Refusal('not_found', 'the end-user id in the path is not valid');
  return id;
}

/** @see docs/contract.md §6.2 */
const replyOf = (record: SentRecord): RecordReply => recordReply(record, '}');

/** @see docs/contract.md §6.4 */
const versionReply = (record: UserState): RecordReply =>
  recordReply(record, `,"comment":${JSON.stringify(record.comment)},"stateSizeBytes":${record.stateBytes}}`);

/** @see docs/contract.md §6.4 */
const historyItem = (
  { version, comment, stateBytes, writtenAt, author }: UserStateHistoryItem,
  playerId: string,
  nameOf: NameOf,
): SaveHistoryItemBody => ({
  version,
  comment,
  stateSizeBytes: stateBytes,
  createdAt: formatTime(writtenAt),
  author: savedBy(author, playerId, nameOf),
});

/** API keys cannot write user state. */
function savedBy(author: UserStateAuthor | null, playerId: string, nameOf: NameOf): SaveAuthorBody {
  if (author === null || author.kind === 'api_key') return { kind: 'end_user', id: playerId };
  const { kind, id } = author;
  return kind === 'operator' ? { kind, id } : { kind, id, name: nameOf(author) };
}

/** Bytes of a page's states in memory at one time: one state of the largest size, or a page of ordinary ones. */
const portionBytesMax = 262_144;

/** A page of states. If it exceeds `portionBytesMax`, it is read and sent in portions. */
async function listReply(
  store: Pick<Store, 'listUserStates'>,
  key: PublicStateKey,
  request: PageRequest,
  scope: string,
): Promise<RecordReply> {
  const readPortion = async (after: PagePosition | null, itemsMax: number): Promise<Page<ListedUserState>> => {
    const outcome = await store.listUserStates(key, { after, itemsMax, bytesMax: portionBytesMax });
    if (outcome.kind === 'no_project') throw noProject(key);
    return outcome.page;
  };
  const first = await readPortion(request.after, request.itemsMax); // read before the head, so that a missing project is a 404
  if (first.next === null || first.items.length === request.itemsMax) {
    const text = [...recordPieces(first.items.map(textOf), listBegin), listEnd(first.next, scope)].join('');
    return textReply(200, 'application/json', text, stateCachingHeaders);
  }
  const body = pageText([first], request.itemsMax, scope, readPortion);
  return { status: 200, headers: [...stateCachingHeaders, 'Content-Type', 'application/json'], body };
}

/** A page in portions. The first portion is removed from `begun`, so that its memory is free once it is sent. */
function pageText(
  begun: Page<ListedUserState>[],
  itemsMax: number,
  scope: string,
  readPortion: (after: PagePosition | null, itemsMax: number) => Promise<Page<ListedUserState>>,
): AsyncIterable<Iterable<string>> {
  let left = itemsMax;
  let separator = listBegin;
  let next: PagePosition | null = null;
  let isOver = false;
  return portionsBy(async () => {
    if (isOver) return undefined;
    const portion = begun.pop() ?? (next !== null && left > 0 ? await readPortion(next, left) : undefined);
    if (portion === undefined) {
      isOver = true;
      return [listEnd(next, scope)];
    }
    left -= portion.items.length;
    next = portion.next;
    if (portion.items.length === 0) return []; // the remaining states have since been deleted
    const pieces = recordPieces(portion.items.map(textOf), separator);
    separator = ',';
    return pieces;
  });
}

const listBegin = '{"items":[';

function listEnd(next: PagePosition | null, scope: string): string {
  const cursor = next === null ? null : formatCursor(next, scope);
  return `],"cursor":${JSON.stringify(cursor)},"hasMore":${cursor !== null}}`;
}

const textOf = ({ playerId, version, stateText, updatedAt }: ListedUserState): RecordText => ({
  head: `{"endUserId":${JSON.stringify(playerId)},"version":${version},"state":`,
  stateText,
  tail: `,"updatedAt":"${formatTime(updatedAt)}"}`,
});
