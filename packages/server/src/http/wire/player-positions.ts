/** Positions in the order of players, as strings. */
import { type KeyPosition, playerKeyKinds } from '../../storage/contract/players.ts';

/** Returns a position as a string. */
export const formatKeyPosition = ({ key, kind, tie }: KeyPosition): string =>
  Buffer.from(JSON.stringify([kind, Buffer.from(key).toString('base64url'), ...tie])).toString('base64url');

/** Returns the position that a string represents, or undefined if malformed. */
export function parseKeyPosition(text: string): KeyPosition | undefined {
  const read: unknown = parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(read) || read.length !== 4 || !read.every(isText)) return undefined;
  const [name, key = '', first = '', second = ''] = read;
  const kind = playerKeyKinds.find((one) => one === name);
  const bytes = Buffer.from(key, 'base64url');
  // Keys and ties are UTF-8, perhaps cut within a character. Databases do not accept NUL.
  const isKept = kind !== undefined && !bytes.includes(0) && !`${first}${second}`.includes('\0');
  return isKept && `${first}${second}`.isWellFormed() ? { kind, key: bytes, tie: [first, second] } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
