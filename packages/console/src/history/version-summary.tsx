/** What a version changed: its first change in a line with how many more there are, and their number. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { emptyDocument } from '../api/state.ts';
import { ChangePath, ChangeValues } from '../diff/value-change.tsx';
import { usePathNames } from '../fields/document-hints.tsx';
import { compare, type ValueChange } from '../json-text/changes.ts';
import { formatNumber, textsOf, useTexts } from '../texts/index.ts';
import type { VersionSource } from './path-search.ts';

const [useChangeTexts] = textsOf('changes');

/** The shown names of a path: the last ones, from that of the innermost element of a list on. */
const namesMin = 2;

const hiddenNames = ({ path }: ValueChange): number => {
  const least = Math.max(0, path.length - namesMin);
  const element = path.findLastIndex((segment) => /^(?:# \d+$|(?:id|key|slug|name) )/.test(segment));
  return element === -1 ? least : Math.min(element, least);
};

/** Larger versions are read only where that costs no request each. */
const readBytesMax = 50_000;
export const isLarge = (sizeBytes: number): boolean => sizeBytes > readBytesMax;

/** Compares a version with the one before it. Neither changes, so the key is apart from those that are read again after a write. */
const changesQuery = ({ source: { key = [], read }, version, before = 0, sizeBytes }: ComparedProps) =>
  queryOptions({
    queryKey: ['changes of a version', ...key, version, before],
    queryFn: async () => {
      // Rows share reads, so scrolling one out of view cancels none.
      const { signal } = new AbortController();
      const records = await Promise.all([before, version].map((one) => read(one, signal, isLarge(sizeBytes))));
      const [from, to] = records.map(({ state }) => state);
      return { from, to, changes: compare(from ?? emptyDocument, to ?? emptyDocument).changes };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

interface ComparedProps {
  readonly source: VersionSource;
  readonly version: number;
  /** The version before it; 0 for none, undefined while unknown. */
  readonly before: number | undefined;
  readonly sizeBytes: number;
  /** Whether it may be read now. */
  readonly isWanted: boolean;
}

function useChanges(props: ComparedProps) {
  const { before, isWanted } = props;
  return useQuery({ ...changesQuery(props), enabled: isWanted && before !== undefined && before > 0 });
}

/** How many changes a version made; nothing while unknown. */
export function ChangeCount(props: ComparedProps) {
  const c = useChangeTexts();
  const { data } = useChanges(props);
  return data === undefined ? null : c.count(data.changes.length, formatNumber(data.changes.length));
}

interface VersionSummaryProps extends ComparedProps {
  /** Stands for what is not read yet, or cannot be. */
  readonly fallback: ReactNode;
}

export function VersionSummary({ fallback, ...props }: VersionSummaryProps) {
  const t = useTexts();
  const c = useChangeTexts();
  const { before } = props;
  const { data } = useChanges(props);
  const namesOf = usePathNames(data?.from ?? emptyDocument, data?.to ?? emptyDocument);
  if (before === 0) return c.firstVersion;
  if (data === undefined) return fallback;
  const { changes } = data;
  const first = changes.find(({ path }) => path[0]?.startsWith('$') !== true) ?? changes[0];
  if (first === undefined) return c.noChanges;
  return (
    <span className="version-summary">
      <ChangePath change={first} namesOf={namesOf} within={hiddenNames(first)} /> <ChangeValues change={first} />
      {changes.length > 1 && ` ${t.state.moreFindings(changes.length - 1)}`}
    </span>
  );
}
