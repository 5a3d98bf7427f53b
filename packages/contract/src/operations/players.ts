/** Players, as developers and support see them. */
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
      'Returns everybody with a state in the project or a sign-in in its account whose id, email address or name begins with `query`, whatever the case; everybody without `query`. The order is that of what begins so, with each player once. A page costs the same however many match. It may hold fewer players than `limit`, or none, although more follow: only `hasMore` says that none does. A cursor belongs to its `query` and `sort`. The role `viewer` finds players by their ids only, and gets neither addresses nor names.',
    access: ['developer'],
    needs: 'read',
    query: {
      query: { type: 'text', description: 'What an id, an email address or a name begins with; up to 512 characters.' },
      ...paging,
      count: {
        type: 'boolean',
        description: '`true`: how many players match, up to 1,000. With it, the page is the first one.',
      },
      sort: {
        type: 'string',
        description:
          '`last_sign_in` or `last_save`: who was there last comes first, if there are at most 1,000 matches; `matches.sort` says how the page is sorted. There is no `cursor`: the page has the first `limit` of them.',
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
    description: 'Returns what the list says of one player; 404 when nobody has the id.',
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
      "Keeps a player out of the project, until somebody lifts the block or `until`. The player's tokens, sessions and change streams end, on the answering node at once and on others within a second. A blocked player cannot sign in (`access_denied`), and the token endpoint answers 400 `invalid_grant` with the description `player_blocked`. A block outlives the deletion of the player. While any project of the account blocks a player, what signs the player in stays, and cannot be linked or merged. A second block takes the place of the first. A guest without a save is no player of the project yet: 404.",
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
    description: 'The player can sign in again. Sessions that the block has ended stay ended. 204 even without a block.',
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.unblock',
    success: noContent('There is no block.'),
    codes: admission,
    ...metered,
  },
  deletePlayerSessions: {
    method: 'DELETE',
    path: `${player}/sessions`,
    tag: 'Players',
    summary: 'End the sessions of a player',
    description:
      'Ends the tokens, sessions and change streams of the player in this project, immediately on the answering node and within a second on others. The player has to sign in again; a guest does so automatically. Tokens of a guest without a save end too. The response is 204 even if there is nothing to end.',
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.sign_out',
    success: noContent('No session is left.'),
    codes: admission,
    ...metered,
  },
  readPlayerExport: {
    method: 'GET',
    path: `${player}/export`,
    tag: 'Players',
    summary: 'Export the data of a player',
    description:
      'Returns all that the project has of a player: how the player signs in, and the saves of all environments with the versions that are kept. 404 when nobody has the id.',
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
      "Deletes the player's saves in all environments with their versions, and ends the player's tokens, sessions and change streams: nothing writes the saves again. What signs the player in goes too, when no project of the account has a save of the player and none blocks the player. The id is taken out of the audit trail. A block stays. 204 also when nobody has the id.",
    access: ['developer'],
    needs: 'support_players',
    audit: 'player.delete',
    success: noContent('Nothing of this player is left, but a block.'),
    codes: admission,
    ...metered,
  },
  readMe: {
    method: 'GET',
    path: `${project}/me`,
    tag: 'Players',
    summary: 'Read who you are',
    description: 'Returns the player whom the access token names, and how the player signs in.',
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
      'Returns how the player signs in, and the saves with the versions that are kept: of every environment with a token of production, otherwise of the environment of the token.',
    access: ['end_user'],
    success: { 200: { description: 'All data of the player.', schema: 'PlayerExportBody' } },
    codes: admission,
    ...metered,
  },
  deleteMe: {
    method: 'DELETE',
    path: `${project}/me`,
    tag: 'Players',
    summary: 'Delete everything of yours',
    description:
      'Deletes the saves with their versions and the sessions, of the same extent as the export. What signs the player in goes too, when no project of the account has a save of the player and none blocks the player. The tokens and change streams of the player end. It needs a sign-in of the last 10 minutes; a guest, who never signs in, needs a token of the last 10 minutes: otherwise 403 `sign_in_again`.',
    access: ['end_user'],
    audit: 'player.delete',
    success: noContent('Nothing of it is left.'),
    codes: [...admission, 'sign_in_again'],
    ...metered,
  },
} as const satisfies Record<string, Operation>;
