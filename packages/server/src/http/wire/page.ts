/**
 * The query of a paged list: the number of items, and where to continue.
 *
 * @see docs/contract.md §1.4
 */

import { pageItemsMax } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import type { Page, PagePosition, PageRequest } from '../../storage/contract/pages.ts';
import { formatCursor, parseCursor } from './cursor.ts';

const int32Min = -(2 ** 31);
const int32Max = 2 ** 31 - 1;

/** A page on the wire. */
export interface PageBody<Item> {
  items: Item[];
  cursor: string | null;
  hasMore: boolean;
}

/**
 * Returns the page that `query` requests in the list named `scope`. Throws `validation_error` for a malformed `limit` or `cursor`; numbers
 * outside 1 to 50 are clamped to that range.
 */
export function parsePageRequest(query: URLSearchParams, scope: string): PageRequest {
  const cursor = single(query, 'cursor');
  return { after: cursor === undefined ? null : parseCursor(cursor, scope), itemsMax: parsePageLimit(query) };
}

/** Returns the query's `limit`, 1 to 50, or the default. Throws `validation_error` unless it is a single int32. */
export function parsePageLimit(query: URLSearchParams): number {
  const text = single(query, 'limit');
  if (text === undefined) return pageItemsMax;
  const limit = Number(text);
  if (!/^-?[0-9]+$/.test(text) || limit < int32Min || limit > int32Max) {
    throw new Refusal('validation_error', `query parameter limit: ${quoted(text)} is not a decimal 32-bit integer`);
  }
  return Math.min(Math.max(limit, 1), pageItemsMax);
}

/** Returns a page as sent; `scope` is the same as in the request. */
export function pageBody<Item>(page: Page<Item>, scope: string): PageBody<Item>;
/** Returns a page of stored records as sent, converting each to an item. */
export function pageBody<Stored, Item>(page: Page<Stored>, scope: string, item: (record: Stored) => Item): PageBody<Item>;
export function pageBody<Stored>({ items, next }: Page<Stored>, scope: string, item = (record: Stored): unknown => record) {
  const cursor = next === null ? null : formatCursor(next, scope);
  return { items: items.map(item), cursor, hasMore: cursor !== null };
}

/** Returns a parameter's only value, or undefined. Throws `validation_error` if it is repeated. */
export function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new Refusal('validation_error', `query parameter ${name} is given ${values.length} times`);
  return values[0];
}

/** The version at a history position. A forged cursor is a position before the first version. */
export const positionVersion = ({ tie }: PagePosition): number => (/^[1-9][0-9]{0,14}$/.test(tie) ? Number(tie) : 0);
