import type { Page, PageRequest } from '../../storage/contract/pages.ts';

const pageItemsMax = 500;

/** Returns the items of all pages of a list. */
export async function everyPage<Item>(read: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: PageRequest['after'] = null;
  do {
    const page: Page<Item> = await read({ after, itemsMax: pageItemsMax });
    items.push(...page.items);
    after = page.next;
  } while (after !== null);
  return items;
}
