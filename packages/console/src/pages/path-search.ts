/** Which versions changed a value. Versions are read one after the other, the newest first, and only while somebody looks for one. */
import { useEffect, useMemo, useState } from 'react';
import type { StateRecord } from '../api/state.ts';
import type { ListedVersion } from '../state/authors.ts';
import { isSame } from '../state/merge3.ts';
import { pathOf, valueAt } from '../state/path-text.ts';

/** Reads one version of the document whose versions are listed. */
export type ReadVersion = (version: number, signal: AbortSignal) => Promise<StateRecord>;

export interface PathSearch {
  /** The versions that changed the value, the newest first. */
  readonly found: readonly number[];
  /** How many versions were compared. */
  readonly looked: number;
  readonly isLooking: boolean;
  readonly fault: unknown;
  /** Looks for the change before the last one that was found. */
  readonly goOn: () => void;
}

/** So many are read ahead. */
const ahead = 3;
/** Keys that follow each other faster are one search. */
const pauseMs = 400;

/** Looks for the newest version that changed what `text` names, then for one more each time. Undefined while nothing is named. */
export function usePathSearch(text: string, items: readonly ListedVersion[], read: ReadVersion): PathSearch | undefined {
  const path = useMemo(() => pathOf(text), [text]);
  const [progress, setProgress] = useState({
    key: '',
    found: [] as readonly number[],
    looked: 0,
    wanted: 1,
    fault: undefined as unknown,
  });
  const key = path.join('\n');
  const current = progress.key === key ? progress : { key, found: [], looked: 0, wanted: 1, fault: undefined };
  const { found, looked, wanted, fault } = current;
  const isLooking = path.length > 0 && fault === undefined && found.length < wanted && looked < items.length;
  useEffect(() => {
    if (!isLooking) return;
    const ending = new AbortController();
    const run = async () => {
      const more = await nextChange({ items, from: looked, path, read, signal: ending.signal });
      if (ending.signal.aborted) return;
      setProgress({ key, wanted, fault: undefined, looked: more.looked, found: [...found, ...more.found] });
    };
    const timer = setTimeout(
      () =>
        run().catch(
          (error: unknown) => !ending.signal.aborted && setProgress({ key, wanted, found, looked, fault: error }),
        ),
      looked === 0 ? pauseMs : 0,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [isLooking, items, looked, path, read, key, wanted, found]);
  if (path.length === 0) return undefined;
  return {
    found,
    looked,
    isLooking,
    fault,
    goOn: () => setProgress({ ...current, wanted: found.length + 1, fault: undefined }),
  };
}

interface Looking {
  readonly items: readonly ListedVersion[];
  readonly from: number;
  readonly path: readonly string[];
  readonly read: ReadVersion;
  readonly signal: AbortSignal;
}

/** Compares versions from `from` on with those before them, until one differs or the list ends. */
async function nextChange({ items, from, path, read, signal }: Looking): Promise<Pick<PathSearch, 'found' | 'looked'>> {
  const reading = new Map<number, Promise<StateRecord>>();
  const recordAt = (index: number): Promise<StateRecord> | undefined => {
    const item = items[index];
    if (item === undefined) return undefined;
    const begun = reading.get(index) ?? read(item.version, signal);
    begun.catch(() => undefined); // whoever waits for it learns
    reading.set(index, begun);
    return begun;
  };
  for (let index = from; index < items.length; index++) {
    for (let next = index; next <= index + ahead; next++) recordAt(next);
    const [newer, older] = [await recordAt(index), await recordAt(index + 1)];
    reading.delete(index);
    if (newer === undefined) break;
    const before = older && valueAt(older.state, path);
    if (!isSame(valueAt(newer.state, path), before)) return { found: [items[index]?.version ?? 0], looked: index + 1 };
  }
  return { found: [], looked: items.length };
}
