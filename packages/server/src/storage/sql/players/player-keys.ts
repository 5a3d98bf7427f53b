/**
 * Search keys of players: texts as bytes that sort in the same way in every database, ignoring case. They are the bytes of JSON strings, as
 * ids are stored, so that keys that the database makes from ids (`lower`) sort among them.
 */
import { encodeText } from '../../rows/stored-texts.ts';

/** Longer texts are cut, since indexes bound the length of keys. */
const idBytesMax = 1_000;
const textBytesMax = 200;
const wordBytesMax = 64;
/** Further words of an address or name do not find its player. */
const wordsMax = 12;

const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns the key of a player id as text, as both databases compute it from a stored id: ASCII letters without case. */
export const idKeyText = (playerId: string): string => asciiLower(encodeText(playerId));

/** Returns the key of a player id. */
export const idKey = (playerId: string): Uint8Array => bytesOf(idKeyText(playerId), idBytesMax);

/** Returns the key of an email address or a name, with its text before cutting. */
export function textKeys(of: string): { readonly key: Uint8Array; readonly text: string } {
  const text = encodeText(of.toLowerCase());
  return { text, key: bytesOf(text, textBytesMax) };
}

/** Returns the key of an email address or a name; null for null. */
export const textKey = (of: string | null): Uint8Array | null => (of === null ? null : textKeys(of).key);

const bytesOf = (text: string, bytesMax: number): Uint8Array => Buffer.from(text).subarray(0, bytesMax);

const unaccented = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');

/** Returns a text without case, accents and repeated spaces. Upper case first, since some letters differ in lower case alone (ß, ς). */
export const plainText = (text: string): string =>
  unaccented(unaccented(text).toUpperCase().toLowerCase()).replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ').trim();

/** Returns the keys that find an address or name from each of its words on, with their texts before cutting. */
export function wordKeys(of: string | null): readonly { readonly key: Uint8Array; readonly text: string }[] {
  if (of === null) return [];
  const plain = plainText(of);
  return [...plain.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, wordsMax).map(({ index }) => {
    const text = encodeText(plain.slice(index));
    return { text, key: bytesOf(text, wordBytesMax) };
  });
}

/** The common beginning of the keys of one kind. */
export interface KeyRange {
  readonly from: string;
  /** Above all keys of the range. */
  readonly to: string;
}

const last = '\u{10ffff}';
const rangeOf = (whole: string): KeyRange => ({ from: whole.slice(0, -1), to: `${whole.slice(0, -1)}${last}` });

/** Returns the range of id keys that begin with a text. */
export const idRange = (prefix: string): KeyRange => rangeOf(idKeyText(prefix));
/** Returns the range of address and name keys that begin with a text. */
export const textRange = (prefix: string): KeyRange => rangeOf(encodeText(prefix.toLowerCase()));

/** Returns the range of word keys that begin with a text. */
export const wordRange = (prefix: string): KeyRange => rangeOf(encodeText(plainText(prefix)));

const bytesMax = {
  state: idBytesMax,
  id: idBytesMax,
  email: textBytesMax,
  name: textBytesMax,
  word: wordBytesMax,
} as const;

/** Returns the lower bound of a range of one kind of key, and the upper bound. */
export function keyBytes(kind: keyof typeof bytesMax, { from, to }: KeyRange): readonly [Uint8Array, Uint8Array] {
  const begin = bytesOf(from, bytesMax[kind]);
  return [begin, begin.length === Buffer.byteLength(from) ? Buffer.from(to) : Buffer.concat([begin, Buffer.from(last)])];
}
