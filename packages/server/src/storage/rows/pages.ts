/** Pages of records, newest first. */
import type { Page, PagePosition } from '../contract/pages.ts';

/** Later than any creation: the position before the first page. */
export const beforeFirst: PagePosition = { createdAt: Number.MAX_SAFE_INTEGER, tie: '' };

/** The page of the items `found`, which has one item more than the page if more follows. */
export function pageOf<Item>(found: Item[], itemsMax: number, position: (item: Item) => PagePosition): Page<Item> {
  const items = found.slice(0, itemsMax);
  const last = items.at(-1);
  return { items, next: found.length > itemsMax && last !== undefined ? position(last) : null };
}
