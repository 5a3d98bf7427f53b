/** JSON Pointers. @see RFC 6901 */

/** JSON Pointer of the parts. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${escaped(String(part))}`).join('');
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
