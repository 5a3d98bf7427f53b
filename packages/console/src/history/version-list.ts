/** The versions of a list that pass its filters, and the shown one, which always passes them. */
import { useMemo, useState } from 'react';
import { useSubject } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { authorName, type ListedVersion } from '../ui/authors.ts';
import { type PathSearch, usePathSearch, type VersionSource } from './path-search.ts';
import { everything, fits, type VersionFilter } from './version-filter.ts';

/** While a filter hides most versions, this many are searched before a user must ask for more. */
const listedStep = 1_000;

interface Listed {
  /** Newest first. */
  readonly items: readonly ListedVersion[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  readonly source: VersionSource;
  /** The path of a value to filter by at first. */
  readonly path?: string | undefined;
  /** The version in the address. */
  readonly chosen: number | undefined;
}

export interface VersionList {
  readonly source: VersionSource;
  readonly items: readonly ListedVersion[];
  readonly filter: VersionFilter;
  readonly setFilter: (filter: VersionFilter) => void;
  readonly found: readonly ListedVersion[];
  /** The versions known to have changed the path; undefined if none is entered. */
  readonly search: PathSearch | undefined;
  /** The version to show: the chosen one if the filters leave it, otherwise the newest that they leave; undefined if there is none. */
  readonly shown: number | undefined;
  /** Whether more of the list is needed. */
  readonly needsMore: boolean;
  /** Continues with older versions, where the search stopped because of their number. */
  readonly searchOlder: (() => void) | undefined;
}

/** Matches may be older than what is listed, so more is asked for until enough match. */
export function useVersionList({ items, hasMore, source, path = '', chosen }: Listed): VersionList {
  const t = useTexts();
  const subject = useSubject();
  const [filter, setFilter] = useState({ ...everything, path });
  const [listedMax, setListedMax] = useState(listedStep);
  const search = usePathSearch(filter.path, { items, hasMore }, source);
  const changed = search?.found;
  const found = useMemo(
    () =>
      items.filter(
        (item) =>
          (changed === undefined || changed.some(({ version }) => version === item.version)) &&
          fits(filter, item, authorName(t, item.author, subject)),
      ),
    [items, changed, filter, t, subject],
  );
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const isCut = search === undefined && isFiltered && hasMore && items.length >= listedMax;
  const isListed = !isFiltered || found.some(({ version }) => version === chosen);
  return {
    source,
    items,
    filter,
    setFilter,
    found,
    search,
    shown: chosen !== undefined && isListed ? chosen : found[0]?.version,
    needsMore: hasMore && !isCut && (search === undefined || search.needsMore),
    searchOlder: isCut ? () => setListedMax(items.length + listedStep) : undefined,
  };
}
