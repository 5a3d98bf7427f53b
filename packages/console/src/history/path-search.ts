/**
 * Finds versions that changed a value. Versions are read in batches, newest first, and only while the page is open: until all are searched,
 * the user stops it, or so much has been read that the user should decide. The page shows the progress.
 */
import { isSame } from '@holdfast/json';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { StateRecord } from '../api/state.ts';
import { useDocumentHints } from '../fields/document-hints.tsx';
import type { Hints } from '../fields/hints.ts';
import { pathOf, valueAt } from '../fields/path-text.ts';
import type { Value } from '../json-text/changes.ts';
import type { ListedVersion } from '../ui/authors.ts';
import { isSpent, type Searched } from './search-bounds.ts';

/** The source of versions. */
export interface VersionSource {
  /** Of the document among queries; left out if it is not shown field by field. */
  readonly key?: readonly unknown[];
  /** Reads one version of the listed document. `isLarge`: only together with others. */
  readonly read: (version: number, signal: AbortSignal, isLarge?: boolean) => Promise<StateRecord>;
  /** How many of the newest versions are read at the cost of one. */
  readonly cheapCount: number;
}

/** The known versions. */
export interface SearchedList {
  readonly items: readonly ListedVersion[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** A version that changed the value. */
export interface Hit {
  readonly version: number;
  /** Undefined if there was nothing. */
  readonly from: Value;
  readonly to: Value;
}

export interface PathSearch {
  /** Newest first. */
  readonly found: readonly Hit[];
  /** How many versions were searched, newest first. */
  readonly searchedCount: number;
  /** How many there are; until the list is complete, at most. */
  readonly versionCount: number;
  readonly isLooking: boolean;
  /** Whether the first version was reached. */
  readonly isAtEnd: boolean;
  /** Whether it waits for more of the list. */
  readonly needsMore: boolean;
  readonly fault: unknown;
  readonly stop: () => void;
  /** Continues with older versions. */
  readonly searchOlder: () => void;
}

/** How many are read ahead, and between two signs of progress. */
const ahead = 3;
const batchSize = 8;
/** Keys pressed faster than this are one search. */
const pauseMs = 400;
interface Progress extends Searched {
  readonly key: string;
  readonly found: readonly Hit[];
  readonly isStopped: boolean;
  readonly fault: unknown;
}
const begin = (key: string): Progress => ({
  key,
  found: [],
  looked: 0,
  since: 0,
  isStopped: false,
  fault: undefined,
});

/** Finds all versions that changed the value at `text`. Undefined if no path is entered. */
export function usePathSearch(
  text: string,
  { items, hasMore }: SearchedList,
  source: VersionSource,
): PathSearch | undefined {
  const hints = useDocumentHints();
  const path = useMemo(() => pathOf(text), [text]);
  const [progress, setProgress] = useState(() => begin(''));
  const key = path.join('\n');
  const current = useMemo(() => (progress.key === key ? progress : begin(key)), [progress, key]);
  const { found, looked, isStopped, fault } = current;
  // The last loaded version of an incomplete list cannot be compared with its predecessor yet.
  const comparable = hasMore ? items.length - 1 : items.length;
  const isAtEnd = looked >= items.length && !hasMore;
  const isHeld = isStopped || fault !== undefined || isSpent(items, current, source.cheapCount);
  const isWanted = path.length > 0 && !isHeld && !isAtEnd;
  const isLooking = isWanted && looked < comparable;
  /** Texts that are still needed. */
  const kept = useRef(new Map<number, Promise<StateRecord>>());
  useEffect(() => {
    if (!isLooking) return;
    const ending = new AbortController();
    const reading = kept.current;
    let isDone = false;
    const run = async () => {
      const to = Math.min(comparable, Math.max(source.cheapCount, looked + batchSize));
      const more = await hitsIn({ items, from: looked, to, path, hints, reading, source, signal: ending.signal });
      if (ending.signal.aborted) return;
      isDone = true;
      setProgress({ ...current, looked: to, found: [...current.found, ...more] });
    };
    const timer = setTimeout(
      () => run().catch((error: unknown) => !ending.signal.aborted && setProgress({ ...current, fault: error })),
      looked === 0 ? pauseMs : 0,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
      if (!isDone) reading.clear();
    };
  }, [isLooking, items, comparable, looked, path, hints, source, current]);
  if (path.length === 0) return undefined;
  return {
    found,
    searchedCount: looked,
    versionCount: hasMore ? (items[0]?.version ?? 0) : items.length,
    isLooking: isWanted,
    isAtEnd,
    needsMore: isWanted && !isLooking,
    fault,
    stop: () => setProgress({ ...current, isStopped: true }),
    searchOlder: () => setProgress({ ...current, since: looked, isStopped: false, fault: undefined }),
  };
}

interface Looking {
  readonly items: readonly ListedVersion[];
  readonly from: number;
  readonly to: number;
  readonly path: readonly string[];
  readonly hints: Hints;
  /** By version. */
  readonly reading: Map<number, Promise<StateRecord>>;
  readonly source: VersionSource;
  readonly signal: AbortSignal;
}

/** Compares versions with their predecessors, from `from` to before `to`. Returns those that differ. */
async function hitsIn({ items, from, to, path, hints, reading, source, signal }: Looking): Promise<readonly Hit[]> {
  const recordAt = (index: number): Promise<StateRecord> | undefined => {
    const version = items[index]?.version;
    if (version === undefined) return undefined;
    const begun = reading.get(version) ?? source.read(version, signal);
    begun.catch(() => undefined); // reported to whoever awaits it
    reading.set(version, begun);
    return begun;
  };
  const hits: Hit[] = [];
  for (let index = from; index < to; index++) {
    for (let next = index; next <= Math.min(index + ahead, to); next++) recordAt(next);
    const [newer, older] = [await recordAt(index), await recordAt(index + 1)];
    if (newer === undefined) break;
    reading.delete(newer.version);
    const [before, after] = [older && valueAt(older.state, path, hints), valueAt(newer.state, path, hints)];
    if (!isSame(after, before)) hits.push({ version: newer.version, from: before, to: after });
  }
  return hits;
}
