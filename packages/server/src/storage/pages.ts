/** Pages of lists that are ordered newest first. */
import type { Page, PagePosition } from './store.ts';

/** Later than any creation: the place before the first page. */
export const beforeFirst: PagePosition = { createdAt: Number.MAX_SAFE_INTEGER, tie: '' };

/** The page that begins with what was `found`, which is one item more than it holds where anything follows. */
export function pageOf<Item>(found: Item[], itemsMax: number, position: (item: Item) => PagePosition): Page<Item> {
  const items = found.slice(0, itemsMax);
  const last = items.at(-1);
  return { items, next: found.length > itemsMax && last !== undefined ? position(last) : null };
}
