/** Players, as seen by developers and support, and by themselves. */
import type { Operation } from '../operation.ts';
import { admission, json, metered, noContent, paging, project, reading } from './shared.ts';

const players = `${project}/players` as const;
const player = `${players}/{endUserId}` as const;

export const playerOperations = {
  listPlayers: {
    method: 'GET',
    path: players,
    tag: 'Players',
    summary: 'Search players',
    description:
      'Returns the players with a state in the project or a sign-in in its account for whom `query` is the beginning of the id, of the email address or one of its parts, or of a word of the name, ignoring case and accents; without `query`, all of them. With `in=project`, a sign-in to another project does not count. Players are sorted by the matching value, each listed once. A page costs the same regardless of the number of matches. It may have fewer players than `limit`, or none, although more follow: only `hasMore` tells. A cursor is valid only for its `query`, `in` and `sort`. The role `viewer` finds players only by id, and gets no addresses or names.',
    access: ['developer'],
    needs: 'read',
    query: {
      query: {
        type: 'text',
        description:
          'Beginning of an id, of an email address or one of its parts, or of a word of a name; up to 512 characters.',
      },
      in: {
        type: 'string',
        description:
          '`account` (default): all players of the account. `project`: those with a state of the project or a sign-in to it.',
      },
      ...paging,
      count: {
        type: 'boolean',
        description: '`true`: also return the number of matches, up to 1,000. Only for the first page.',
      },
      sort: {
        type: 'string',
        description:
          '`last_sign_in` or `last_save`: the most recent first, if there are at most 1,000 matches; `matches.sort` gives the actual order. There is no `cursor`: the page has the first `limit` matches.',
      },
    },
    success: { 200: { description: 'A page.', schema: 'PlayerListBody' } },
    codes: admission,
    ...metered,
  },
  readPlayer: {
    method: 'GET',
    path: player,
    tag: 'Players',
    summary: 'Read a player',
    description: 'Returns one player as in the list; 404 if no player has the id.',
    access: ['developer'],
    needs: 'read',
    success: { 200: { description: 'The player.', schema: 'PlayerBody' } },
    codes: admission,
    ...metered,
  },
  replacePlayerBlock: {
    method: 'PUT',
    path: `${player}/block`,
    tag: 'Players',
    summary: 'Block a player',
    description:
      "Keeps a player out of the project until the block is lifted or expires at `until`. The player's tokens, sessions and change streams end, immediately on the answering node and within a second on others. A blocked player cannot sign in (`access_denied`), and the token endpoint returns 400 `invalid_grant` with the description `player_blocked`. A block outlives the deletion of the player. While any project of the account blocks a player, the player's sign-in methods stay and cannot be linked or merged. A new block replaces the previous one. A guest without a save is not yet a player of the project: 404.",
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.block',
    body: json('BlockPlayerBody'),
    success: { 200: { description: 'The block.', schema: 'PlayerBlockBody' } },
    codes: [...admission, ...reading, 'upgrade_unfinished'],
    ...metered,
  },
  deletePlayerBlock: {
    method: 'DELETE',
    path: `${player}/block`,
    tag: 'Players',
    summary: 'Lift the block of a player',
    description:
      'The player can sign in again. Sessions ended by the block stay ended. The response is 204 even if there is no block.',
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.unblock',
    success: noContent('The player is not blocked.'),
    codes: admission,
    ...metered,
  },
  deletePlayerSessions: {
    method: 'DELETE',
    path: `${player}/sessions`,
    tag: 'Players',
    summary: 'End the sessions of a player',
    description:
      'Ends the tokens, sessions and change streams of the player in this project, immediately on the answering node and within a second on others. The player must sign in again; a guest does so automatically. Tokens of a guest without a save end too. The response is 204 even if there is nothing to end.',
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.sign_out',
    success: noContent('All sessions have ended.'),
    codes: admission,
    ...metered,
  },
  readPlayerExport: {
    method: 'GET',
    path: `${player}/export`,
    tag: 'Players',
    summary: 'Export the data of a player',
    description:
      'Returns all data that the project has about a player: sign-in methods, and the saves of all environments with their kept versions. 404 if no player has the id.',
    access: ['developer'],
    needs: 'read_players',
    audit: 'player.export',
    success: { 200: { description: 'All data of the player.', schema: 'PlayerExportBody' } },
    codes: admission,
    ...metered,
  },
  deletePlayer: {
    method: 'DELETE',
    path: player,
    tag: 'Players',
    summary: 'Erase a player',
    description:
      "Deletes the player's saves in all environments with their versions, and ends the player's tokens, sessions and change streams, so the saves are not written again. If no project of the account has a save of the player or blocks the player, the sign-in methods are deleted too. The id is removed from the audit trail. A block stays. The response is 204 even if no player has the id.",
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.delete',
    success: noContent('The player is erased; a block stays.'),
    codes: admission,
    ...metered,
  },
  readMe: {
    method: 'GET',
    path: `${project}/me`,
    tag: 'Players',
    summary: 'Read your player',
    description: 'Returns the player of the access token, with sign-in methods.',
    access: ['end_user'],
    success: { 200: { description: 'The player.', schema: 'MeBody' } },
    codes: admission,
    ...metered,
  },
  readMyExport: {
    method: 'GET',
    path: `${project}/me/export`,
    tag: 'Players',
    summary: 'Download your data',
    description:
      "Returns the player's sign-in methods, and the saves with their kept versions: of every environment for a production token, otherwise of the token's environment.",
    access: ['end_user'],
    success: { 200: { description: 'All data of the player.', schema: 'PlayerExportBody' } },
    codes: admission,
    ...metered,
  },
  deleteMe: {
    method: 'DELETE',
    path: `${project}/me`,
    tag: 'Players',
    summary: 'Delete your data',
    description:
      "Deletes the saves with their versions, and the sessions, in the same environments as the export. If no project of the account has a save of the player or blocks the player, the sign-in methods are deleted too. The player's tokens and change streams end. Requires a sign-in within the last 10 minutes; a guest, who never signs in, needs a token issued within the last 10 minutes. Otherwise the response is 403 `sign_in_again`.",
    access: ['end_user'],
    audit: 'player.delete',
    success: noContent('Deleted.'),
    codes: [...admission, 'sign_in_again'],
    ...metered,
  },
} as const satisfies Record<string, Operation>;
