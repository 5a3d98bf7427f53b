/**
 * The search for players: pages ordered by the searched text, or by time if there are few matches.
 *
 * @see docs/contract.md §8.12
 */
import { countedPlayersMax, pageItemsMax } from '@holdfast/contract';
import type { KeyPosition, PlayerKeyKind, PlayerRecord } from '../storage/contract/players.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';

export type PlayerSort = 'last_sign_in' | 'last_save';

export interface PlayerSearch {
  /** The beginning of an id, address or name, ignoring case. */
  readonly prefix: string;
  /** Whether addresses and names are searched too. */
  readonly isByPerson: boolean;
  /** Whether only players with a state of the project or a sign-in to it are found. */
  readonly isInProject: boolean;
}

export interface FoundPlayers {
  readonly players: readonly PlayerRecord[];
  readonly next: KeyPosition | null;
}

type SearchStore = Pick<Store, 'listPlayers'>;

/** Without a search string, addresses and names would only find players already found by id. */
const kindsOf = ({ prefix, isByPerson }: PlayerSearch): readonly PlayerKeyKind[] =>
  isByPerson && prefix !== '' ? ['state', 'id', 'email', 'name', 'word'] : ['state', 'id'];

/**
 * Skips keys of players already listed under an earlier key, and players of other projects. A page ends after this many queries, even if it
 * has few players.
 */
const queriesMax = { inAccount: 4, inProject: 20 } as const;

/** Returns a page of players after a position, and the position of the next page; null at the end. */
export async function findPlayerPage(
  store: SearchStore,
  key: ProjectKey,
  search: PlayerSearch,
  { after, itemsMax }: { readonly after: KeyPosition | null; readonly itemsMax: number },
  now: number,
): Promise<FoundPlayers> {
  const { prefix, isInProject } = search;
  const players: PlayerRecord[] = [];
  let next = after;
  const most = queriesMax[isInProject ? 'inProject' : 'inAccount'];
  for (let queries = 0; queries < most && players.length < itemsMax; queries++) {
    const found = await store.listPlayers(
      key,
      { prefix, kinds: kindsOf(search), isInProject, after: next, itemsMax: itemsMax - players.length },
      now,
    );
    players.push(...found.players);
    next = found.next;
    if (next === null) break;
  }
  return { players, next };
}

/** Queries needed to find players up to the counting limit. */
const countQueriesMax = 4 * (countedPlayersMax / pageItemsMax);

/** Returns matching players up to the counting limit, and whether these are all. Yields to other work between queries. */
export async function findCountedPlayers(
  store: SearchStore,
  key: ProjectKey,
  search: PlayerSearch,
  now: number,
): Promise<{ readonly players: readonly PlayerRecord[]; readonly isAll: boolean }> {
  const players: PlayerRecord[] = [];
  let after: KeyPosition | null = null;
  for (let queries = 0; queries < countQueriesMax && players.length <= countedPlayersMax; queries++) {
    const found: FoundPlayers = await store.listPlayers(
      key,
      { prefix: search.prefix, kinds: kindsOf(search), isInProject: search.isInProject, after, itemsMax: pageItemsMax },
      now,
    );
    players.push(...found.players);
    after = found.next;
    if (after === null) return { players: players.slice(0, countedPlayersMax), isAll: players.length <= countedPlayersMax };
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { players: players.slice(0, countedPlayersMax), isAll: false };
}

/** When a player was last active, by the sort order of the list; 0 if never. */
export function lastActiveAt({ identities, states }: PlayerRecord, sort: PlayerSort): number {
  const times =
    sort === 'last_save'
      ? states.map(({ updatedAt }) => updatedAt)
      : identities.map(({ lastSignedInAt }) => lastSignedInAt ?? 0);
  return Math.max(0, ...times);
}
