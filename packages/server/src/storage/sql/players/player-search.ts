/**
 * Finds players by keys that begin with a text, each kind read along its index, and all kinds merged in one order. The cost of a page
 * therefore does not depend on the number of players.
 */

import {
  type Identity,
  type KeyPosition,
  type PlayerKeyKind,
  type PlayerRecord,
  type PlayerState,
  playerKeyKinds,
} from '../../contract/players.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofRecord } from '../../contract/read-owner.ts';
import { bytesAt, decodedTextAt, integerAt, optionalIntegerAt, type Row } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { toListedUser } from '../../rows/sign-in-method-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql } from '../engine-sql.ts';
import { type Statement, type Steps, together } from '../steps.ts';
import { largeRead, type Setting, smallRead } from '../verb.ts';
import { toIdentity } from './identities.ts';
import { isInForce, toBlock } from './player-blocks.ts';
import { idKey, idKeyText, idRange, keyBytes, plainText, textKeys, textRange, wordKeys, wordRange } from './player-keys.ts';
import { storedWords, wordName } from './player-words.ts';
import { signedInTo } from './project-players.ts';

/** In merge order. */
const kinds = playerKeyKinds;
const columns = { id: 'id_key', email: 'email_key', name: 'name_key', word: 'word' } as const;

/** SQL: identities with keys of one kind above `$2` and below `$3`; if `$4` is 1, also those with the key `$2` after `$5` and `$6`. */
const identitiesBy = (column: string, table = 'identities', player = 'end_user_id'): string => `
  SELECT subject, provider, ${player} AS end_user_id, ${column} AS search_key FROM ${table}
  WHERE account_id = $1 AND ${column} >= $2 AND ${column} < $3
    AND (${column} > $2 OR (CAST($4 AS integer) = 1 AND (subject, provider) > ($5, $6)))
  ORDER BY ${column}, subject, provider LIMIT $7`;

/** The player of a word; null if an older program has deleted the identity. */
const playerOfWord = `(SELECT end_user_id FROM identities WHERE identities.account_id = player_words.account_id
    AND identities.subject = player_words.subject AND identities.provider = player_words.provider)`;

/** SQL: the same for the ids of players who have signed in to the project `$2`; the tie is the id `$6`. */
const projectPlayers = `
  SELECT end_user_id AS subject, '' AS provider, end_user_id, id_key AS search_key FROM project_players
  WHERE account_id = $1 AND slug = $2 AND id_key >= $3 AND id_key < $4
    AND (id_key > $3 OR (CAST($5 AS integer) = 1 AND end_user_id > $6))
  ORDER BY id_key, end_user_id LIMIT $7`;

/** Where reading a kind continues: above a key, or at it above a tie. */
interface Begin {
  readonly key: Uint8Array | string;
  readonly atKey: boolean;
  readonly tie: readonly [string, string];
}

const start = ['', ''] as const;

/** Where one kind continues after a position: kinds before the position's kind have passed its key. */
function beginOf(
  kind: PlayerKeyKind,
  from: Uint8Array,
  after: KeyPosition | null,
): Omit<Begin, 'key'> & { readonly key: Uint8Array } {
  if (after === null || Buffer.compare(after.key, from) < 0) return { key: from, atKey: true, tie: start };
  const order = kinds.indexOf(kind) - kinds.indexOf(after.kind);
  return { key: after.key, atKey: order >= 0, tie: order === 0 ? after.tie : start };
}

function rangeOf(kind: PlayerKeyKind, prefix: string) {
  if (kind === 'word') return wordRange(prefix);
  return kind === 'state' || kind === 'id' ? idRange(prefix) : textRange(prefix);
}

function scanOf(
  engine: EngineSql,
  { accountId, slug }: ProjectKey,
  kind: PlayerKeyKind,
  { prefix, isInProject, after }: Search,
  itemsMax: number,
): Statement {
  const range = rangeOf(kind, prefix);
  const [from, to] = keyBytes(kind, range);
  const { key, atKey, tie } = beginOf(kind, from, after);
  const flag = atKey ? 1 : 0;
  if (kind === 'state')
    return {
      sql: engine.playerIds,
      values: [accountId, slug, Buffer.from(key).toString(), range.to, flag, tie[0], itemsMax],
    };
  if (kind === 'id' && isInProject)
    return { sql: projectPlayers, values: [accountId, slug, key, to, flag, tie[0], itemsMax] };
  const sql = kind === 'word' ? identitiesBy('word', 'player_words', playerOfWord) : identitiesBy(columns[kind]);
  return { sql, values: [accountId, key, to, flag, ...tie, itemsMax] };
}

/** A matching key and its player. */
interface Match extends KeyPosition {
  readonly playerId: string;
}

function toMatch(kind: PlayerKeyKind, row: Row): Match {
  // No player has the empty id.
  const playerId = row.end_user_id === null ? '' : decodedTextAt(row, 'end_user_id');
  return kind === 'state'
    ? { kind, playerId, key: Buffer.from(idKeyText(playerId)), tie: [encodeText(playerId), ''] }
    : { kind, playerId, key: bytesAt(row, 'search_key'), tie: [String(row.subject), String(row.provider)] };
}

const compare = (a: KeyPosition, b: KeyPosition): number =>
  Buffer.compare(a.key, b.key) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareTies = (a: KeyPosition, b: KeyPosition): number =>
  compareTexts(a.tie[0], b.tie[0]) || compareTexts(a.tie[1], b.tie[1]);

interface Search {
  readonly prefix: string;
  readonly kinds: readonly PlayerKeyKind[];
  readonly isInProject?: boolean;
  readonly after: KeyPosition | null;
  readonly itemsMax: number;
}

function* list(
  setting: Setting,
  key: ProjectKey,
  search: Search,
  now: number,
): Steps<{ readonly players: readonly PlayerRecord[]; readonly next: KeyPosition | null }> {
  const { prefix, isInProject = false, itemsMax } = search;
  // Every word would begin with a text of accents alone.
  const searched = search.kinds.filter((kind) => kind !== 'word' || plainText(prefix) !== '');
  // One row more of each than requested shows whether more follows.
  const found = yield* together(searched.map((kind) => scanOf(setting.engine, key, kind, search, itemsMax + 1)));
  const all = found.flatMap((rows, index) => rows.map((row) => toMatch(searched[index] ?? 'id', row)));
  const unread = found.flatMap((rows, index) => {
    const [kind, last] = [searched[index] ?? 'id', rows.at(-1)];
    return rows.length > itemsMax && last !== undefined ? [toMatch(kind, last)] : [];
  });
  // Each kind is already sorted, and stays so: the sort is stable.
  const matches = firstPlayers(all.toSorted(compare), unread, itemsMax);
  const ids = [...new Set(matches.map(({ playerId }) => playerId))];
  const records = yield* findPlayers(setting, key, ids, now);
  const byId = new Map(records.map((record) => [record.playerId, record]));
  const signedIn = isInProject ? yield* signedInTo(setting, key, ids) : undefined;
  const subjects = records.flatMap(({ identities }) => identities.map(({ subject }) => subject));
  const words = searched.includes('word') ? yield* storedWords(setting, key.accountId, subjects) : new Set<string>();
  const players = matches.flatMap((match) => {
    const record = byId.get(match.playerId);
    if (record === undefined) return [];
    const isSignedIn = signedIn?.has(record.playerId);
    const isWanted = isSignedIn !== false || record.states.length > 0;
    return isWanted && isFirst(match, keysOf(record, isSignedIn, words), prefix, searched) ? [record] : [];
  });
  const last = matches.at(-1);
  const hasMore = unread.length > 0 || matches.length < all.length;
  const next = hasMore && last !== undefined ? { key: last.key, kind: last.kind, tie: last.tie } : null;
  return { players, next };
}

/**
 * Returns the first matches of up to `playersMax` players, since most players match by several keys. It stops at the last key read of a
 * kind that continues, since other keys may come before the next match.
 */
function firstPlayers(sorted: readonly Match[], unread: readonly Match[], playersMax: number): Match[] {
  const ids = new Set<string>();
  const taken: Match[] = [];
  for (const match of sorted) {
    if (unread.some((last) => compare(match, last) > 0)) break;
    if (ids.size === playersMax && !ids.has(match.playerId)) break;
    ids.add(match.playerId);
    taken.push(match);
  }
  return taken;
}

/** Whether a key is the player's first match, by which the player is listed. */
function isFirst(
  match: KeyPosition,
  keys: ReturnType<typeof keysOf>,
  prefix: string,
  wanted: readonly PlayerKeyKind[],
): boolean {
  const [first] = keys
    .filter(({ kind, text }) => wanted.includes(kind) && text.startsWith(rangeOf(kind, prefix).from))
    .toSorted((a, b) => compare(a, b) || compareTies(a, b));
  return first !== undefined && compare(first, match) === 0 && compareTies(first, match) === 0;
}

/**
 * All keys of a player, with their texts before cutting. `isSignedIn`: whether the player has signed in to the project; undefined if players
 * of the whole account are searched. `words` names the words that are stored.
 */
function keysOf(
  { playerId, identities, states }: PlayerRecord,
  isSignedIn: boolean | undefined,
  words: ReadonlySet<string>,
): readonly (KeyPosition & { readonly text: string })[] {
  const id = { key: idKey(playerId), text: idKeyText(playerId) };
  const ofState = { key: Buffer.from(id.text), text: id.text, kind: 'state', tie: [encodeText(playerId), ''] } as const;
  return [
    ...(states.length > 0 ? [ofState] : []),
    ...(isSignedIn === true ? [{ ...id, kind: 'id', tie: [encodeText(playerId), ''] } as const] : []),
    ...identities.flatMap(({ subject, provider, email, name, lastSignedInAt }) => {
      if (lastSignedInAt === null) return [];
      const tie = [encodeText(subject), encodeText(provider)] as const;
      return [
        ...(isSignedIn === undefined ? [{ ...id, kind: 'id' as const, tie }] : []),
        ...(email === null ? [] : [{ ...textKeys(email), kind: 'email' as const, tie }]),
        ...(name === null ? [] : [{ ...textKeys(name), kind: 'name' as const, tie }]),
        ...[...wordKeys(email), ...wordKeys(name)]
          .filter(({ key }) => words.has(wordName(subject, provider, key)))
          .map((word) => ({ ...word, kind: 'word' as const, tie })),
      ];
    }),
  ];
}

const toState = (row: Row): PlayerState => ({
  environment: environmentNames[integerAt(row, 'environment')] ?? 'production',
  version: integerAt(row, 'version'),
  updatedAt: integerAt(row, 'updated_at'),
  stateBytes: integerAt(row, 'state_bytes'),
  createdAt: optionalIntegerAt(row, 'created_at'),
});

/** Users of the built-in directory who have not signed in since identities have been stored. */
function directoryIdentities(rows: readonly Row[]): Identity[] {
  if (rows.length === 0) return [];
  const { userId: subject, email, name, createdAt, providers } = toListedUser(rows);
  return providers.map((provider) => ({ subject, provider, email, name, createdAt, lastSignedInAt: null }));
}

/** Returns the records of players; unknown players are left out. Users of the built-in directory are known before they sign in. */
export function* findPlayers(
  { engine }: Pick<Setting, 'engine'>,
  { accountId, slug }: ProjectKey,
  playerIds: readonly string[],
  now: number,
): Steps<readonly PlayerRecord[]> {
  const given = JSON.stringify(playerIds.map((id) => [encodeText(id), /^usr_\w+$/.test(id) ? id : '']));
  const isGiven = `end_user_id IN (SELECT value ->> 0 FROM ${engine.given})`;
  // Any number of rows each.
  const [identities = [], states = [], blocks = [], users = []] = yield* together([
    {
      sql: `SELECT end_user_id, subject, provider, email, name, created_at, last_signed_in_at FROM identities
            WHERE account_id = $2 AND ${isGiven}`,
      values: [given, accountId],
    },
    {
      sql: `SELECT end_user_id, environment, version, updated_at, state_bytes, user_states.created_at
            FROM projects JOIN user_states ON user_states.project_id = projects.project_id ${engine.userStates.ofAccount}
            WHERE projects.account_id = $2 AND slug = $3 AND ${isGiven} ORDER BY end_user_id, environment`,
      values: [given, accountId, slug],
    },
    {
      sql: `SELECT end_user_id, reason, blocked_at, until FROM player_blocks
            WHERE account_id = $2 AND slug = $3 AND ${isGiven} AND ${isInForce('$4')}`,
      values: [given, accountId, slug, now],
    },
    {
      sql: `SELECT users.user_id, email, name, created_at, CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password, provider_id
            FROM users LEFT JOIN federated_identities AS links
              ON links.directory_id = users.directory_id AND links.user_id = users.user_id
            WHERE users.directory_id = $2 AND users.user_id IN (SELECT value ->> 1 FROM ${engine.given})`,
      values: [given, accountId],
    },
  ]);
  const by = (rows: readonly Row[], id: string) => rows.filter((row) => row.end_user_id === encodeText(id));
  return playerIds.flatMap((playerId) => {
    const known = by(identities, playerId)
      .map(toIdentity)
      .toSorted((a, b) => compareTexts(a.provider, b.provider) || compareTexts(a.subject, b.subject));
    const [block] = by(blocks, playerId);
    const record: PlayerRecord = {
      playerId,
      identities: known.length > 0 ? known : directoryIdentities(users.filter((row) => row.user_id === playerId)),
      states: by(states, playerId).map(toState),
      block: block === undefined ? null : toBlock(block),
    };
    const isKnown = record.identities.length + record.states.length > 0 || record.block !== null;
    return isKnown ? [record] : [];
  });
}

function* find(setting: Setting, key: ProjectKey, playerId: string, now: number): Steps<PlayerRecord | undefined> {
  return (yield* findPlayers(setting, key, [playerId], now))[0];
}

export const playerSearchVerbs = {
  /**
   * Some of the players with a key that begins with a given text, in key order, from a position; each player once. With `isInProject`, only
   * those with a state of the project or a sign-in to it. `next` is the position to continue from, null at the end. A page may hold fewer
   * than `itemsMax` players even if more follow, so that its cost does not depend on the number of players.
   */
  listPlayers: largeRead(list, ofRecord),
  /** Finds a player; undefined if the id has no state in the project, no sign-in in its account and no block. */
  findPlayer: smallRead(find),
};
