/** The table of links between players and identities (tables.ts). */
import type { SharedTable } from './declaration.ts';

export const playerLinkTables = {
  /**
   * Which player an id stands for, if not the player with the same id. `subject` is the id of an identity, as given by its provider, or of
   * a guest; `player_id` is its player. Three kinds of rows:
   *
   * - of an identity, with the former guest that it signs in;
   * - of a guest with itself: the key is retired, and the player lives on, or was erased;
   * - of a guest or an identity's own player with another player: nothing is written for that id any more.
   *
   * Without any link there is no row.
   */
  player_links: {
    title: 'links of players',
    since: 13,
    columns: { account_id: 'text', subject: 'text', player_id: 'text', linked_at: 'integer' },
    key: ['account_id', 'subject'],
    indexes: { player_links_by_player: '(account_id, player_id)' },
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
