/**
 * Returns a text in Base64url with another character in its middle. It never decodes to the same bytes, as it may with other characters at
 * the end: some of their bits mean nothing, or they are those already there.
 */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
}
