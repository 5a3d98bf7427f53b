/** The wire form of large documents, made once for everyone who needs it. */

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
