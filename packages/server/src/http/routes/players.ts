/** Players on the wire. @see docs/contract.md §8.12 */

import { hasPower, type PlayerListBody, playerIdCharactersMax } from '@holdfast/contract';
import type { DeveloperPrincipal } from '../../access/principal.ts';
import { readPlayerIdSegment } from '../../common/ids/player-id.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import { type ExportOptions, exportPieces } from '../../players/export.ts';
import * as players from '../../players/player.ts';
import {
  findCountedPlayers,
  findPlayerPage,
  lastActiveAt,
  type PlayerSearch,
  type PlayerSort,
} from '../../players/search.ts';
import type { PagePosition } from '../../storage/contract/pages.ts';
import type { KeyPosition, PlayerRecord } from '../../storage/contract/players.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Store } from '../../storage/store.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply, type Reply } from '../replies/reply.ts';
import { textSlices } from '../replies/unread-responses.ts';
import { formatCursor } from '../wire/cursor.ts';
import { parsePageRequest, single } from '../wire/page.ts';
import { formatKeyPosition, parseKeyPosition } from '../wire/player-positions.ts';

/** These records name people: intermediaries must not cache them. */
const ok = <Content>(body: Content): Reply<200, Content> => jsonReply(200, body, neverKept);
const done = (): Reply<204, undefined> => emptyReply(204, neverKept);

type PlayersId =
  | 'listPlayers'
  | 'readPlayer'
  | 'replacePlayerBlock'
  | 'deletePlayerBlock'
  | 'deletePlayerSessions'
  | 'readPlayerExport'
  | 'deletePlayer';

export interface PlayerParts {
  readonly store: Store;
  readonly retention: ExportOptions['retention'];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The handlers of players. */
export function playerHandlers(parts: PlayerParts): HandlersOf<PlayersId> {
  const { store, now } = parts;
  return {
    listPlayers: async ({ params, query, principal }) => ok(await listPlayers(parts, params, query, principal)),
    readPlayer: async ({ params, principal }) => {
      const record = await players.readPlayer(store, params, playerIdOf(params), now());
      return ok(players.playerBody(record, seesPersonalData(principal)));
    },
    replacePlayerBlock: async ({ params, body, by }) =>
      ok(await players.blockPlayer(store, by(), params, playerIdOf(params), body)),
    deletePlayerBlock: async ({ params, by }) => {
      await players.unblockPlayer(store, by(), params, playerIdOf(params));
      return done();
    },
    deletePlayerSessions: async ({ params, by }) => {
      await players.endPlayerSessions(store, by(), params, playerIdOf(params));
      return done();
    },
    readPlayerExport: async ({ params, by }) => {
      const record = await players.readPlayer(store, params, playerIdOf(params), now());
      await store.recordPlayerExport(by(), params, record.playerId);
      return exportReply(exportPieces(parts, params, record));
    },
    deletePlayer: async ({ params, by }) => {
      await players.erasePlayer(store, by(), params, playerIdOf(params));
      return done();
    },
  };
}

/** Refuses `not_found` for an invalid id: no player can have it. */
function playerIdOf({ playerIdSegment }: { readonly playerIdSegment: string }): string {
  const id = readPlayerIdSegment(playerIdSegment);
  if (id === undefined) throw new Refusal('not_found', 'the end-user id in the path is not valid');
  return id;
}

/** Whether a developer may see addresses and names. */
const seesPersonalData = ({ role }: DeveloperPrincipal): boolean => hasPower(role, 'read_players');

/** Sends each piece when the client has taken the previous one. */
export function exportReply(pieces: AsyncIterable<string>): Reply<200, never> {
  async function* texts(): AsyncGenerator<Iterable<string>, void, undefined> {
    for await (const piece of pieces) yield textSlices(piece);
  }
  return { status: 200, headers: [...neverKept, 'Content-Type', 'application/json'], body: texts() };
}

async function listPlayers(
  { store, now }: Pick<PlayerParts, 'store' | 'now'>,
  key: ProjectKey,
  queryText: string,
  principal: DeveloperPrincipal,
): Promise<PlayerListBody> {
  const query = parseFormText(queryText);
  const search: PlayerSearch = {
    prefix: readPrefix(query),
    isByPerson: seesPersonalData(principal),
    isInProject: readIn(query) === 'project',
  };
  const sort = readSort(query);
  const isCounted = readFlag(query, 'count') || sort !== undefined;
  const scope = `players of ${key.accountId}/${key.slug} ${sort ?? ''} ${search.isByPerson} ${search.isInProject} ${search.prefix}`;
  const { after, itemsMax } = parsePageRequest(query, scope);
  const counted = isCounted ? await findCountedPlayers(store, key, search, now()) : undefined;
  const matches = counted && {
    count: counted.players.length,
    isExact: counted.isAll,
    sort: sort !== undefined && counted.isAll ? sort : ('key' as const),
  };
  const page =
    counted !== undefined && sort !== undefined && counted.isAll
      ? sortedPage(counted.players, sort, after, itemsMax)
      : await keyPage({ store, now }, key, search, after, itemsMax);
  const cursor = page.next === null ? null : formatCursor(page.next, scope);
  return {
    items: page.players.map((record) => players.playerBody(record, search.isByPerson)),
    cursor,
    hasMore: cursor !== null,
    ...(matches && { matches }),
  };
}

interface PlayerPage {
  readonly players: readonly PlayerRecord[];
  readonly next: PagePosition | null;
}

async function keyPage(
  { store, now }: Pick<PlayerParts, 'store' | 'now'>,
  key: ProjectKey,
  search: PlayerSearch,
  after: PagePosition | null,
  itemsMax: number,
): Promise<PlayerPage> {
  const found = await findPlayerPage(store, key, search, { after: after && readPosition(after), itemsMax }, now());
  return { players: found.players, next: found.next && { createdAt: 0, tie: formatKeyPosition(found.next) } };
}

function readPosition({ tie }: PagePosition): KeyPosition {
  const position = parseKeyPosition(tie);
  if (position === undefined) throw new Refusal('validation_error', 'query parameter cursor: not a cursor of this list');
  return position;
}

/** A page of players, most recently active first. */
function sortedPage(
  found: readonly PlayerRecord[],
  sort: PlayerSort,
  after: PagePosition | null,
  itemsMax: number,
): PlayerPage {
  const positionOf = (record: PlayerRecord): PagePosition => ({
    createdAt: lastActiveAt(record, sort),
    tie: Buffer.from(record.playerId).toString('base64url'),
  });
  const compare = (a: PagePosition, b: PagePosition) => b.createdAt - a.createdAt || (a.tie < b.tie ? -1 : 1);
  const left = found
    .map((record) => ({ record, position: positionOf(record) }))
    .filter(({ position }) => after === null || (position.tie !== after.tie && compare(after, position) < 0))
    .toSorted((a, b) => compare(a.position, b.position));
  const items = left.slice(0, itemsMax);
  const last = items.at(-1);
  return {
    players: items.map(({ record }) => record),
    next: left.length > itemsMax && last !== undefined ? last.position : null,
  };
}

function readPrefix(query: URLSearchParams): string {
  const prefix = (single(query, 'query') ?? '').trim();
  if (prefix.length <= playerIdCharactersMax) return prefix;
  throw new Refusal('validation_error', `query parameter query: must have at most ${playerIdCharactersMax} characters`);
}

function readSort(query: URLSearchParams): PlayerSort | undefined {
  const sort = single(query, 'sort');
  if (sort === undefined || sort === 'last_sign_in' || sort === 'last_save') return sort;
  throw new Refusal('validation_error', `query parameter sort: ${quoted(sort)} must be last_sign_in or last_save`);
}

function readIn(query: URLSearchParams): 'account' | 'project' {
  const given = single(query, 'in') ?? 'account';
  if (given === 'account' || given === 'project') return given;
  throw new Refusal('validation_error', `query parameter in: ${quoted(given)} must be account or project`);
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const flag = single(query, name);
  if (flag === undefined || flag === 'false') return false;
  if (flag === 'true') return true;
  throw new Refusal('validation_error', `query parameter ${name}: ${quoted(flag)} must be true or false`);
}
