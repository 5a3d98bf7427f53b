/**
 * Search words of players (player-keys.ts). Every sign-in writes those of its identity. Players of an older database, of an import, and
 * those changed by an older program get theirs account by account, in slices.
 */

import { playerWordsSince, type SignedIn } from '../../contract/players.ts';
import { ofInstallation } from '../../contract/read-owner.ts';
import { bytesAt, decodedTextAt, optionalDecodedTextAt, type Row, textAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql } from '../engine-sql.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { largeRead, type Setting, write } from '../verb.ts';
import { wordKeys } from './player-keys.ts';

/** The distinct words of an identity, in hexadecimal. */
const wordsOf = ({ email, name }: Pick<SignedIn, 'email' | 'name'>): string[] => [
  ...new Set([...wordKeys(email), ...wordKeys(name)].map(({ key }) => Buffer.from(key).toString('hex'))),
];

const toPerson = (row: Row) => ({ email: optionalDecodedTextAt(row, 'email'), name: optionalDecodedTextAt(row, 'name') });

/** Writes the words of an identity, given as its row. Words that stay are not written again. */
export function* writeWords({ engine }: Pick<Setting, 'engine'>, accountId: string, identity: Row): Steps<void> {
  const given = JSON.stringify(wordsOf(toPerson(identity)).map((word) => [word]));
  const values = [given, accountId, textAt(identity, 'subject'), textAt(identity, 'provider')];
  // Any number of rows, but few: the words that are gone, and the new ones.
  yield* all(
    `DELETE FROM player_words WHERE account_id = $2 AND subject = $3 AND provider = $4
       AND word NOT IN (SELECT ${engine.givenBytes} FROM ${engine.given})`,
    values,
  );
  yield* all(
    `INSERT INTO player_words (account_id, subject, provider, word)
     SELECT CAST($2 AS text), CAST($3 AS text), CAST($4 AS text), ${engine.givenBytes} FROM ${engine.given} WHERE true
     ON CONFLICT (account_id, subject, provider, word) DO NOTHING`,
    values,
  );
}

/** Identifies a stored word. */
export const wordName = (subject: string, provider: string, word: Uint8Array): string =>
  JSON.stringify([subject, provider, Buffer.from(word).toString('hex')]);

/** Returns the names of the stored words of some subjects. Those of players who are not yet found by words are missing. */
export function* storedWords(
  { engine }: Pick<Setting, 'engine'>,
  accountId: string,
  subjects: readonly string[],
): Steps<ReadonlySet<string>> {
  // A few rows for each.
  const rows = yield* all(
    `SELECT subject, provider, word FROM player_words WHERE account_id = $2
       AND subject IN (SELECT value ->> 0 FROM ${engine.given})`,
    [JSON.stringify(subjects.map((subject) => [encodeText(subject)])), accountId],
  );
  return new Set(
    rows.map((row) => wordName(decodedTextAt(row, 'subject'), decodedTextAt(row, 'provider'), bytesAt(row, 'word'))),
  );
}

/** Deletes the words of all identities of a subject. */
export function* removeWords(accountId: string, subject: string): Steps<void> {
  // Any number of rows, but few.
  yield* all('DELETE FROM player_words WHERE account_id = $1 AND subject = $2', [accountId, subject]);
}

/** Accounts that one call reads. */
const accountsMax = 200;

function* listWordless(
  _: Setting,
  after: string | null,
): Steps<{ readonly accountIds: readonly string[]; readonly next: string | null }> {
  // At most that many rows.
  const rows = yield* all(
    `SELECT accounts.account_id AS account_id, position FROM accounts
     LEFT JOIN player_word_positions ON player_word_positions.account_id = accounts.account_id
     WHERE accounts.account_id > $1 ORDER BY accounts.account_id LIMIT ${accountsMax}`,
    [after ?? ''],
  );
  const last = rows.at(-1);
  return {
    accountIds: rows.filter(({ position }) => position !== done).map((row) => textAt(row, 'account_id')),
    next: rows.length === accountsMax && last !== undefined ? textAt(last, 'account_id') : null,
  };
}

/** A position: what is gone over, and the key of the last row. */
type Position = readonly ['identities' | 'project_players', string, string];
const start: Position = ['identities', '', ''];
const done = '';

/** Rows of each kind that one call goes over. */
const identitiesMax = 50;
const playersMax = 200;

function* fill({ engine }: Setting, accountId: string): Steps<boolean> {
  // No row: nothing was gone over.
  const row = yield* first('SELECT position FROM player_word_positions WHERE account_id = $1', [accountId]);
  const before = row === undefined ? null : textAt(row, 'position');
  if (before === done) return true;
  const from = before === null ? start : (JSON.parse(before) as Position);
  const next = from[0] === 'identities' ? yield* fillIdentities(engine, accountId, from) : yield* clear(accountId, from);
  const after = next === null ? done : JSON.stringify(next);
  // One row; none if the account is gone, or another node has gone over the same.
  yield* all(
    `INSERT INTO player_word_positions (account_id, position) SELECT account_id, CAST($2 AS text) FROM accounts WHERE account_id = $1
     ON CONFLICT (account_id) DO UPDATE SET position = excluded.position WHERE player_word_positions.position = $3`,
    [accountId, after, before ?? JSON.stringify(start)],
  );
  return next === null;
}

/** Makes the words of some identities again, and deletes words of identities that an older program has deleted. */
function* fillIdentities(
  { given, givenBytes }: EngineSql,
  accountId: string,
  [, subject, provider]: Position,
): Steps<Position> {
  // Locked, so that no sign-in changes them meanwhile.
  const identities = yield* all(
    `SELECT subject, provider, email, name FROM identities WHERE account_id = $1 AND (subject, provider) > ($2, $3)
     ORDER BY subject, provider LIMIT ${identitiesMax} FOR UPDATE`,
    [accountId, subject, provider],
  );
  const last = identities.length === identitiesMax ? identities.at(-1) : undefined;
  const words = identities.flatMap((row) => wordsOf(toPerson(row)).map((word) => [word, row.subject, row.provider]));
  // Any number of rows each. Words of other providers of the last subject are deleted too: the next call makes them again.
  yield* all(`DELETE FROM player_words WHERE account_id = $2 AND subject IN (SELECT value ->> 0 FROM ${given})`, [
    JSON.stringify(identities.map((row) => [row.subject])),
    accountId,
  ]);
  yield* all(
    `DELETE FROM player_words WHERE account_id = $1 AND (subject, provider) > ($2, $3)
       ${last === undefined ? '' : 'AND (subject, provider) <= ($4, $5)'}
       AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.account_id = player_words.account_id
         AND identities.subject = player_words.subject AND identities.provider = player_words.provider)`,
    [accountId, subject, provider, ...(last === undefined ? [] : [textAt(last, 'subject'), textAt(last, 'provider')])],
  );
  yield* all(
    `INSERT INTO player_words (account_id, subject, provider, word)
     SELECT CAST($2 AS text), value ->> 1, value ->> 2, ${givenBytes} FROM ${given} WHERE true
     ON CONFLICT (account_id, subject, provider, word) DO NOTHING`,
    [JSON.stringify(words), accountId],
  );
  return last === undefined
    ? ['project_players', '', '']
    : ['identities', textAt(last, 'subject'), textAt(last, 'provider')];
}

/** Forgets that players without an identity, whom an older program has erased, have signed in. */
function* clear(accountId: string, [, slug, playerId]: Position): Steps<Position | null> {
  const rows = yield* all(
    `SELECT slug, end_user_id FROM project_players WHERE account_id = $1 AND (slug, end_user_id) > ($2, $3)
     ORDER BY slug, end_user_id LIMIT ${playersMax}`,
    [accountId, slug, playerId],
  );
  const last = rows.at(-1);
  if (last === undefined) return null;
  // Any number of rows, but no more than were read.
  yield* all(
    `DELETE FROM project_players WHERE account_id = $1 AND (slug, end_user_id) > ($2, $3) AND (slug, end_user_id) <= ($4, $5)
       AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.account_id = project_players.account_id
         AND identities.end_user_id = project_players.end_user_id)`,
    [accountId, slug, playerId, textAt(last, 'slug'), textAt(last, 'end_user_id')],
  );
  return rows.length === playersMax ? ['project_players', textAt(last, 'slug'), textAt(last, 'end_user_id')] : null;
}

/** The migration of the identities of players. */
const identitiesSince = 11;

/** Counts the accounts with players who are not yet found by words, in a database whose newest migration is given. */
export function* countWordless(migration: number): Steps<number> {
  if (migration < identitiesSince) return 0;
  const made = `EXISTS (SELECT 1 FROM player_word_positions AS made
    WHERE made.account_id = accounts.account_id AND position = '')`;
  const row = yield* one(
    `SELECT count(*) AS wordless FROM accounts
     WHERE EXISTS (SELECT 1 FROM identities WHERE identities.account_id = accounts.account_id)
     ${migration < playerWordsSince ? '' : `AND NOT ${made}`}`,
  );
  return Number(row.wordless);
}

export const playerWordVerbs = {
  /** Some of the accounts after an account id whose players are not yet found by words; null begins the list, and marks its end. */
  listWordlessAccounts: largeRead(listWordless, ofInstallation),
  /**
   * Makes the search words of some of an account's players again, continuing where the last call stopped. Returns whether all are made.
   * Called once no program runs that changes players without their words.
   */
  fillPlayerWords: write(fill),
};
