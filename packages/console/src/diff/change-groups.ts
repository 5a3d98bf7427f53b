/** Groups changes by their part of the document, so that hundreds of them stay readable. */
import { useMemo, useState } from 'react';
import type { ValueChange } from '../json-text/changes.ts';

export interface ChangeGroup {
  /** Unique among the groups of the same changes. */
  readonly name: string;
  /** Their common path; empty for single changes. */
  readonly path: readonly string[];
  readonly changes: readonly ValueChange[];
}

/** Fewer changes in a member of the document get no heading. */
const groupedMin = 3;

/** Returns single changes first, then the others by member of the document; what no game reads last. */
export function groupsOf(changes: readonly ValueChange[]): readonly ChangeGroup[] {
  const members = [...Map.groupBy(changes, ({ path }) => path[0] ?? '')].sort(
    ([one], [other]) => Number(one.startsWith('$')) - Number(other.startsWith('$')),
  );
  const alone = members.flatMap(([, inside]) => (inside.length < groupedMin ? inside : []));
  const groups = members
    .filter(([, inside]) => inside.length >= groupedMin)
    .map(([name, inside]) => ({ name: `in ${name}`, path: commonParent(inside), changes: inside }));
  return alone.length === 0 ? groups : [{ name: 'alone', path: [], changes: alone }, ...groups];
}

/** The common leading segments of all paths, but never a whole path. */
function commonParent(changes: readonly ValueChange[]): readonly string[] {
  const [first = [], ...others] = changes.map(({ path }) => path);
  let length = first.length - 1;
  for (const path of others) {
    const most = Math.min(length, path.length - 1);
    length = 0;
    while (length < most && path[length] === first[length]) length++;
  }
  return first.slice(0, length);
}

export interface OpenGroups {
  readonly groups: readonly ChangeGroup[];
  readonly isOpen: (group: ChangeGroup) => boolean;
  readonly toggle: (group: ChangeGroup) => void;
}

/** The groups of changes. At first, groups are open until they fill `rows` rows, and at least the first one. */
export function useOpenGroups(changes: readonly ValueChange[], rows: number): OpenGroups {
  const groups = useMemo(() => groupsOf(changes), [changes]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const openAtFirst = useMemo(() => {
    let sum = 0;
    const fitting = groups.filter((group, index) => {
      sum += Math.min(group.changes.length, rows);
      return index === 0 || sum <= rows;
    });
    return new Set(fitting.map(({ name }) => name));
  }, [groups, rows]);
  const isOpen = ({ name }: ChangeGroup) => chosen.get(name) ?? openAtFirst.has(name);
  return {
    groups,
    isOpen,
    toggle: (group) => setChosen(new Map(chosen).set(group.name, !isOpen(group))),
  };
}
