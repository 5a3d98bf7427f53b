/** Code blocks of Markdown pages, for tests and programs that do what a page says. */

/** The code blocks of a language in a page, in order. */
export const codeBlocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

/** The part of a page below the first heading of the second or third level that begins with `heading`. Throws if there is none. */
export function sectionOf(text: string, heading: string): string {
  const parts = text.split(/^(?=###? )/m);
  const found = parts.find((part) => part.replace(/^#+ /, '').startsWith(heading));
  if (found === undefined) throw new Error(`the page has no section "${heading}"`);
  return found;
}

/** The address of the service, the port of the page and the key that pages for games show. */
export interface ShownPlace {
  readonly baseUrl: string;
  readonly port: number;
  readonly key: string;
}

/** A code block of a page for games, with other values in place of those shown. */
export const placed = (block: string, { baseUrl, port, key }: ShownPlace): string =>
  block.replaceAll('http://127.0.0.1:8787', baseUrl).replaceAll('5173', String(port)).replaceAll('svcp_…', key);
