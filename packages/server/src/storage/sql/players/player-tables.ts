/** The tables of players: identities, blocks, ended tokens, and links between ids (tables.ts). */
import type { SharedTable } from '../schema/declaration.ts';

export const playerTables = {
  /**
   * Players who have signed in to a project of the account, with a row for each provider used, for any issuer. `end_user_id` is the
   * resulting player: the subject, unless it was linked to a guest. The keys are for searching players (player-keys.ts). Fields that a
   * provider omits at a later sign-in stay unchanged.
   */
  identities: {
    title: 'identities of players',
    placement: 'managed',
    since: 11,
    columns: {
      account_id: 'text',
      subject: 'text',
      provider: 'text',
      end_user_id: 'text',
      email: 'text?',
      name: 'text?',
      id_key: 'bytes',
      email_key: 'bytes?',
      name_key: 'bytes?',
      created_at: 'integer',
      last_signed_in_at: 'integer',
    },
    key: ['account_id', 'subject', 'provider'],
    indexes: {
      identities_by_player: '(account_id, end_user_id)',
      identities_by_id: '(account_id, id_key, subject, provider)',
      identities_by_email: '(account_id, email_key, subject, provider) WHERE email_key IS NOT NULL',
      identities_by_name: '(account_id, name_key, subject, provider) WHERE name_key IS NOT NULL',
    },
    owner: 'account_id',
  },
  /**
   * The texts that find a player by a word: the address and the name, normalized, from each of their words on (player-keys.ts). They are
   * made from the identity again in a database that has none.
   */
  player_words: {
    title: 'search words of players',
    placement: 'managed',
    since: 25,
    columns: { account_id: 'text', subject: 'text', provider: 'text', word: 'bytes' },
    key: ['account_id', 'subject', 'provider', 'word'],
    indexes: { player_words_by_word: '(account_id, word, subject, provider)' },
    owner: 'account_id',
    isPassing: true,
  },
  /** How far the search words of an account have been made. Without a row, not at all. */
  player_word_positions: {
    title: 'positions in the search words',
    placement: 'managed',
    since: 25,
    columns: { account_id: 'text', position: 'text' },
    key: ['account_id'],
    owner: 'account_id',
    isPassing: true,
  },
  /** Players who have signed in to a project. Sign-ins from before this table are not recorded. */
  project_players: {
    title: 'players of projects',
    placement: 'managed',
    since: 25,
    columns: { account_id: 'text', slug: 'text', end_user_id: 'text', id_key: 'bytes' },
    key: ['account_id', 'slug', 'end_user_id'],
    indexes: {
      project_players_by_id: '(account_id, slug, id_key, end_user_id)',
      project_players_by_player: '(account_id, end_user_id)',
    },
    owner: 'account_id',
    isOfProject: true,
  },
  /** Blocks survive the deletion of the player. A block whose `until` is in the past is no longer in force, and is swept. */
  player_blocks: {
    title: 'blocks of players',
    placement: 'managed',
    since: 11,
    columns: {
      account_id: 'text',
      slug: 'text',
      end_user_id: 'text',
      reason: 'text?',
      blocked_at: 'integer',
      until: 'integer?',
    },
    key: ['account_id', 'slug', 'end_user_id'],
    indexes: {
      player_blocks_by_player: '(account_id, end_user_id)',
      player_blocks_by_end: '(until) WHERE until IS NOT NULL',
    },
    owner: 'account_id',
    isOfProject: true,
  },
  /**
   * When the tokens of a player last ended, in one environment (-1: all) of one project (the empty slug: all). `ended_at` is the player's
   * epoch there: tokens of an earlier epoch are rejected. Epochs are never reused. Rows do not identify the player, and are swept once no
   * token can be that old. They stay when their project is deleted.
   */
  player_endings: {
    title: 'ends of the tokens of players',
    placement: { by: 'account_id', with: 'environments' },
    since: 11,
    columns: { account_id: 'text', player_hash: 'bytes', slug: 'text', environment: 'integer', ended_at: 'integer' },
    key: ['account_id', 'player_hash', 'slug', 'environment'],
    indexes: {
      player_endings_by_project: '(account_id, slug, ended_at)',
      player_endings_by_time: '(ended_at)',
    },
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;

export const playerLinkTables = {
  /**
   * The player that an id stands for, if not the player with the same id. `subject` is the id of an identity, as given by its provider, or
   * of a guest; `player_id` is its player. Three kinds of rows:
   *
   * - of an identity, with the former guest that it signs in;
   * - of a guest with itself: the key is retired, and the player lives on, or was erased;
   * - of a guest or an identity's own player with a different player: writes for that id are refused from then on.
   *
   * Without any link there is no row.
   */
  player_links: {
    title: 'links of players',
    placement: 'reference',
    since: 13,
    columns: { account_id: 'text', subject: 'text', player_id: 'text', linked_at: 'integer' },
    key: ['account_id', 'subject'],
    indexes: { player_links_by_player: '(account_id, player_id)' },
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
