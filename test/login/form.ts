/** Reads forms out of pages. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns text without its escapes. */
export function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}

/** Returns where the first form that leads to `path` leads, and what it holds. Fails when there is none. */
export function fillIn(page: string, path: string): { action: string; held: Record<string, string> } {
  for (const [, attributes = '', content = ''] of page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const action = unescaped(/ action="([^"]*)"/.exec(attributes)?.[1] ?? '');
    if (new URL(action, 'http://localhost').pathname !== path) continue;
    const held = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    );
    return { action, held: Object.fromEntries(held) as Record<string, string> };
  }
  throw new Error(`the page has no form that leads to ${path}`);
}
