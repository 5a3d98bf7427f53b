/**
 * Finds versions that changed a value. Versions are read in steps, newest first, and only while the page is open: a step reads at most a
 * few megabytes, and the page shows the progress.
 */
import { isSame } from '@holdfast/json';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { StateRecord } from '../api/state.ts';
import type { Hints } from '../form/hints.ts';
import type { ListedVersion } from '../state/authors.ts';
import { useDocumentHints } from '../state/document-hints.tsx';
import { pathOf, valueAt } from '../state/path-text.ts';

/** The source of versions. */
export interface VersionSource {
  /** Of the document among queries; left out if it is not shown field by field. */
  readonly key?: readonly unknown[];
  /** Reads one version of the listed document. */
  readonly read: (version: number, signal: AbortSignal) => Promise<StateRecord>;
  /** How many of the newest versions are read at the cost of one. */
  readonly cheapCount: number;
}

/** The known versions. */
export interface SearchedList {
  readonly items: readonly ListedVersion[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

export interface PathSearch {
  /** The versions that changed the value, newest first. */
  readonly found: readonly number[];
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
  /** Continues with older versions. */
  readonly searchOlder: () => void;
}

/** How many are read ahead. */
const ahead = 3;
/** Keys pressed faster than this are one search. */
const pauseMs = 400;
/** Limits of one step: bytes read and versions compared. */
const stepBytesMax = 4_000_000;
const stepVersionsMax = 200;

interface Progress {
  readonly key: string;
  readonly found: readonly number[];
  readonly looked: number;
  /** Where this step ends. */
  readonly until: number;
  readonly wanted: number;
  readonly fault: unknown;
}
const begin = (key: string): Progress => ({ key, found: [], looked: 0, until: 0, wanted: 1, fault: undefined });

/** Returns the end of a step that begins at `from`. */
function stepEnd(items: readonly ListedVersion[], from: number, cheapCount: number): number {
  if (from < cheapCount) return cheapCount;
  let bytes = 0;
  let end = from;
  while (end < items.length && end - from < stepVersionsMax && (bytes <= stepBytesMax || end === from)) {
    bytes += items[end]?.stateSizeBytes ?? 0;
    end++;
  }
  return end;
}

/** Finds the newest version that changed the value at `text`, then one more each time. Undefined if no path is entered. */
export function usePathSearch(
  text: string,
  { items, hasMore }: SearchedList,
  source: VersionSource,
): PathSearch | undefined {
  const hints = useDocumentHints();
  const path = useMemo(() => pathOf(text), [text]);
  const [progress, setProgress] = useState(() => begin(''));
  const key = path.join('\n');
  const current = progress.key === key ? progress : begin(key);
  const { found, looked, wanted, fault } = current;
  const until = current.until === 0 ? stepEnd(items, 0, source.cheapCount) : current.until;
  // The last loaded version of an incomplete list cannot be compared with its predecessor yet.
  const comparable = hasMore ? items.length - 1 : items.length;
  const isAtEnd = looked >= items.length && !hasMore;
  const isWanted = path.length > 0 && fault === undefined && found.length < wanted && looked < until && !isAtEnd;
  const isLooking = isWanted && looked < comparable;
  /** Texts that are still needed. */
  const kept = useRef(new Map<number, Promise<StateRecord>>());
  useEffect(() => {
    if (!isLooking) return;
    const ending = new AbortController();
    const reading = kept.current;
    let isDone = false;
    const run = async () => {
      const to = Math.min(until, comparable, looked + ahead + 1);
      const more = await nextChange({ items, from: looked, to, path, hints, reading, source, signal: ending.signal });
      if (ending.signal.aborted) return;
      isDone = true;
      setProgress({ key, wanted, until, fault: undefined, looked: more.looked, found: [...found, ...more.found] });
    };
    const timer = setTimeout(
      () =>
        run().catch(
          (error: unknown) => !ending.signal.aborted && setProgress({ key, wanted, until, found, looked, fault: error }),
        ),
      looked === 0 ? pauseMs : 0,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
      if (!isDone) reading.clear();
    };
  }, [isLooking, items, comparable, looked, until, path, hints, source, key, wanted, found]);
  if (path.length === 0) return undefined;
  return {
    found,
    searchedCount: looked,
    versionCount: hasMore ? (items[0]?.version ?? 0) : items.length,
    isLooking: isWanted,
    isAtEnd,
    needsMore: isWanted && !isLooking,
    fault,
    searchOlder: () =>
      setProgress({
        ...current,
        fault: undefined,
        wanted: found.length + 1,
        until: looked < until ? until : stepEnd(items, looked, source.cheapCount),
      }),
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

/** Compares versions with their predecessors, from `from` on, until one differs or `to` is reached. */
async function nextChange({
  items,
  from,
  to,
  path,
  hints,
  reading,
  source,
  signal,
}: Looking): Promise<Pick<Progress, 'found' | 'looked'>> {
  const recordAt = (index: number): Promise<StateRecord> | undefined => {
    const version = items[index]?.version;
    if (version === undefined) return undefined;
    const begun = reading.get(version) ?? source.read(version, signal);
    begun.catch(() => undefined); // reported to whoever awaits it
    reading.set(version, begun);
    return begun;
  };
  for (let index = from; index < to; index++) {
    for (let next = index; next <= Math.min(index + ahead, to); next++) recordAt(next);
    const [newer, older] = [await recordAt(index), await recordAt(index + 1)];
    if (newer === undefined) break;
    reading.delete(newer.version);
    const before = older && valueAt(older.state, path, hints);
    if (!isSame(valueAt(newer.state, path, hints), before)) return { found: [newer.version], looked: index + 1 };
  }
  return { found: [], looked: to };
}
