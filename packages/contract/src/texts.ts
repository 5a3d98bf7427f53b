/** Rules of texts that the contract and the service share. */

/** Whether a text has no control characters and no line or paragraph separators. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/**
 * Returns why a text is no https address; undefined if it is one. `isAllowed` says which addresses of other schemes are accepted too. The
 * fault never contains the text, which may hold a secret.
 */
export function httpsFault(
  text: string,
  { example = 'https://example.com/about', isAllowed = (_url: URL): boolean => false } = {},
): string | undefined {
  // The parser would drop line breaks, trim spaces, and add slashes.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return `is not a URL, such as ${example}`;
  const url = new URL(text);
  if (!/^https:\/\//iu.test(text) && !isAllowed(url)) return 'must begin with https://';
  return url.username === '' && url.password === '' ? undefined : 'must not have a user name or password';
}
