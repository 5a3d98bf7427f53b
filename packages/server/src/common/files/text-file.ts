/** Text files as people save them: editors and shells put marks before the text, or write UTF-16. */
import { readFileSync } from 'node:fs';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the text of UTF-8 bytes, without a byte order mark at the start. Throws an `Error` that says so if they are UTF-16 or anything
 * else.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new Error('it is UTF-16: save it as UTF-8');
  }
  try {
    const text = utf8.decode(bytes);
    // UTF-16 without a mark, of ASCII.
    if (!text.includes('\0')) return text;
  } catch {
    // It is said below.
  }
  throw new Error('it is not UTF-8: save it as UTF-8');
}

/** Returns the text of a file, as `textOfBytes` does. Throws the error of the file system, or an `Error` that names the file. */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  try {
    return textOfBytes(bytes);
  } catch (error) {
    throw new Error(`cannot use ${path}: ${(error as Error).message}`);
  }
}
