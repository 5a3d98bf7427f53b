/**
 * Returns a text in Base64url with another character in its middle, so that it decodes to other bytes. A change at the end may not do that:
 * some bits there mean nothing.
 */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
}
