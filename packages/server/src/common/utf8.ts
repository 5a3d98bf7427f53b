/** Between text and its UTF-8, as bodies and documents have it. */
import { isAscii, isUtf8 } from 'node:buffer';

/** Smaller texts are copied faster than memory for them is had. */
const charactersMin = 32_768;

/**
 * Returns the UTF-8 of a large text in memory that threads share, so that neither the thread that stores it nor the socket
 * that sends it makes a copy; undefined for a small one. Whoever gets it must not write to it.
 */
export function shareUtf8(text: string): Uint8Array | undefined {
  if (text.length < charactersMin) return undefined;
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text, 'utf8')));
  bytes.write(text, 'utf8');
  return bytes;
}

/** The text of UTF-8 bytes; `undefined` when they are no valid UTF-8. A byte order mark stays, for the parser to refuse. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}
