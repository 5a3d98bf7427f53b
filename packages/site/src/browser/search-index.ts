/** What the search finds, best first. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { groups, reference } from '../pages.ts';
import { widened } from './synonyms.ts';

/** A target of the search. */
export interface Place {
  readonly id: number;
  readonly slug: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Pages where things are looked up. Guides come before them, unless they fit much worse. */
const lookUpSlugs = new Set([
  reference.slug,
  ...groups
    .filter(({ title }) => ['Reference', 'Internals'].includes(title))
    .flatMap(({ pages }) => pages.map(({ slug }) => slug)),
]);
const isLookUp = (slug: string) => lookUpSlugs.has(slug) || slug.startsWith(`${reference.slug}/`);
const lookUpBoost = 0.4;

/** The index of the rows in `search.json`. */
export function indexOf(rows: readonly (readonly string[])[]): MiniSearch<Place> {
  const index = new MiniSearch<Place>({
    fields: ['heading', 'title', 'text'],
    storeFields: ['slug', 'anchor', 'title', 'heading', 'text'],
    // Names of settings, routes and codes match as a whole and by their parts.
    tokenize: (text) => [...text.split(/[\s.,;:!?()[\]{}"'`<>|=/]+/), ...text.split(/[^\p{L}\p{N}]+/u)],
    searchOptions: {
      boost: { heading: 4, title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 && 0.15,
      weights: { prefix: 0.3, fuzzy: 0.1 },
      combineWith: 'AND',
      boostDocument: (_id, _term, stored) => (isLookUp(String(stored?.slug)) ? lookUpBoost : 1),
    },
  });
  index.addAll(
    rows.map(([slug = '', anchor = '', title = '', heading = '', text = ''], id) => ({
      id,
      slug,
      anchor,
      title,
      heading,
      text,
    })),
  );
  return index;
}

/** The places for words as typed, best first. */
export const placesFor = (index: MiniSearch<Place>, words: string): SearchResult[] => index.search(widened(words));
