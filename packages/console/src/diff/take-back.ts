/** What a version changed, taken back in today's document. */
import { isSame, type JsonObject, merge3 } from '@holdfast/json';
import { compare, type ValueChange } from '../json-text/changes.ts';

/** A document to write, and which of its changes are not chosen at first. */
export interface Proposal {
  readonly target: JsonObject;
  /** The ids of changes of today's document that are not chosen. */
  readonly left: ReadonlySet<string>;
}

/** Returns today's document as if a version, which made `after` of `before`, had not been. Values changed since are not chosen at first. */
export function takenBack(before: JsonObject, after: JsonObject, now: JsonObject): Proposal {
  const merge = merge3(after, now, before);
  const target = merge.build(new Map());
  const inverse = Map.groupBy(compare(after, before).changes, containerOf);
  const isInverse = (change: ValueChange) =>
    inverse.get(containerOf(change))?.some((one) => one.kind === change.kind && isEqual(one, change)) === true;
  const isChangedSince = ({ path }: ValueChange) =>
    merge.conflicts.some((conflict) => conflict.path.every((segment, index) => path[index] === segment));
  const left = compare(now, target).changes.filter((change) => isChangedSince(change) && !isInverse(change));
  return { target, left: new Set(left.map(({ id }) => id)) };
}

const containerOf = ({ path }: ValueChange): string => JSON.stringify(path.slice(0, -1));
const isEqual = (one: ValueChange, other: ValueChange): boolean => isSame(one.from, other.from) && isSame(one.to, other.to);
