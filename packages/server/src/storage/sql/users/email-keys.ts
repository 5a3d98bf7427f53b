/** Finds the users of an email address. Databases of earlier releases store domains as typed, and local parts in lower case. */
import { asciiKey, parseEmail, unicodeKey } from '../../../common/text/email-address.ts';
import type { User } from '../../contract/identity.ts';
import { optionalDecodedTextAt, type Row, textAt } from '../../rows/columns.ts';
import { toUser } from '../../rows/identity-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { all, type Steps } from '../steps.ts';
import { directory, isDirectory, userColumns } from './directories.ts';

/**
 * The three keys that mean the same address, as stored in the column: the key itself, and with the ASCII and the Unicode form of the
 * domain.
 */
export const encodedKeys = (emailKey: string): readonly string[] =>
  [emailKey, asciiKey(emailKey), unicodeKey(emailKey)].map(encodeText);

/** The users of a directory with the address of a key. There can be several, at most one of them from this release. */
export function* usersOf(accountId: string | null, emailKey: string): Steps<readonly User[]> {
  const keys = encodedKeys(emailKey);
  // No row: no such directory, or no user in it with that address.
  const rows = yield* all(
    `SELECT ${userColumns} FROM users
     WHERE directory_id = ${directory} AND email_key IN ($2, $3, $4, $5, $6, $7) AND ${isDirectory} ORDER BY created_at, user_id`,
    [accountId, ...keys, ...encodedKeys(emailKey.toLowerCase())],
  );
  // A key in lower case is a different address, unless the given address was typed at its sign-up.
  return rows
    .filter((row) => keys.includes(textAt(row, 'email_key')) || addressOf(row) === asciiKey(emailKey))
    .map((row) => toUser(row, accountId));
}

/** The key, with the domain in ASCII, of the address typed at a sign-up. */
function addressOf(row: Row): string | undefined {
  const address = parseEmail(optionalDecodedTextAt(row, 'email') ?? '');
  return address && asciiKey(address.emailKey);
}
