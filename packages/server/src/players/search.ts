/**
 * The search for players: pages in the order of what is searched, or, among few, in that of time.
 *
 * @see docs/contract.md §8.12
 */
import { countedPlayersMax, pageItemsMax } from '@holdfast/contract';
import type { KeyPosition, PlayerKeyKind, PlayerRecord, PlayerStore } from '../storage/player-store.ts';
import type { ProjectKey } from '../storage/store.ts';

export type PlayerSort = 'last_sign_in' | 'last_save';

export interface PlayerSearch {
  /** What an id, an address or a name begins with, whatever the case. */
  readonly prefix: string;
  /** Whether addresses and names are searched too. */
  readonly isByPerson: boolean;
}

export interface FoundPlayers {
  readonly players: readonly PlayerRecord[];
  readonly next: KeyPosition | null;
}

type SearchStore = Pick<PlayerStore, 'listPlayers'>;

/** Without a text, an address and a name would only find again who is found by the id. */
const kindsOf = ({ prefix, isByPerson }: PlayerSearch): readonly PlayerKeyKind[] =>
  isByPerson && prefix !== '' ? ['state', 'id', 'email', 'name'] : ['state', 'id'];

/** Keys of players who are listed already by others are passed over; a page ends after so many looks, however few it has. */
const looksMax = 4;

/** Returns a page of players after a position, and where the next one begins; null at the end. */
export async function findPlayerPage(
  store: SearchStore,
  key: ProjectKey,
  search: PlayerSearch,
  { after, itemsMax }: { readonly after: KeyPosition | null; readonly itemsMax: number },
  now: number,
): Promise<FoundPlayers> {
  const { prefix } = search;
  const players: PlayerRecord[] = [];
  let next = after;
  for (let looks = 0; looks < looksMax && players.length < itemsMax; looks++) {
    const found = await store.listPlayers(
      key,
      { prefix, kinds: kindsOf(search), after: next, itemsMax: itemsMax - players.length },
      now,
    );
    players.push(...found.players);
    next = found.next;
    if (next === null) break;
  }
  return { players, next };
}

/** How many looks count as many players as are counted. */
const countLooksMax = 4 * (countedPlayersMax / pageItemsMax);

/** Returns all players that match, up to as many as are counted, and whether that is all. Others are served between its parts. */
export async function findCountedPlayers(
  store: SearchStore,
  key: ProjectKey,
  search: PlayerSearch,
  now: number,
): Promise<{ readonly players: readonly PlayerRecord[]; readonly isAll: boolean }> {
  const players: PlayerRecord[] = [];
  let after: KeyPosition | null = null;
  for (let looks = 0; looks < countLooksMax && players.length <= countedPlayersMax; looks++) {
    const found: FoundPlayers = await store.listPlayers(
      key,
      { prefix: search.prefix, kinds: kindsOf(search), after, itemsMax: pageItemsMax },
      now,
    );
    players.push(...found.players);
    after = found.next;
    if (after === null) return { players: players.slice(0, countedPlayersMax), isAll: players.length <= countedPlayersMax };
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { players: players.slice(0, countedPlayersMax), isAll: false };
}

/** When a player was last there, as a list is sorted by it; 0: never. */
export function lastThereAt({ identities, states }: PlayerRecord, sort: PlayerSort): number {
  const times =
    sort === 'last_save'
      ? states.map(({ updatedAt }) => updatedAt)
      : identities.map(({ lastSignedInAt }) => lastSignedInAt ?? 0);
  return Math.max(0, ...times);
}
