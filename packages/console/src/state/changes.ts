/**
 * The changes between two documents by value, as people see them: each added, removed or replaced value is one change, however a patch
 * would express it. Objects in a list are matched by `id`, `key`, `slug` or `name` if all have distinct ones; other elements by position,
 * from both ends.
 */
import { identityOf, isJsonObject, isSame, type JsonObject, type JsonValue, joinOrders } from '@holdfast/json';

/** A value, or undefined for a missing member or element. */
export type Value = JsonValue | undefined;

export interface ValueChange {
  /** The path for people. A list element is named by its identifier, or by its position. */
  readonly path: readonly string[];
  /** Unique among the changes between the same documents. */
  readonly id: string;
  /** `move`: the elements of a list have another order. */
  readonly kind: 'add' | 'remove' | 'replace' | 'move';
  /** Undefined if there was nothing, or only the order changed. */
  readonly from: Value;
  readonly to: Value;
}

export interface Comparison {
  /** In document order. */
  readonly changes: readonly ValueChange[];
  /** Returns the first document with the chosen changes applied. With all of them it equals the second. */
  build(isTaken: (id: string) => boolean): JsonObject;
}

/** Compares two documents in linear time, except for differing lists within lists. */
export function compare(from: JsonObject, to: JsonObject): Comparison {
  const changes: ValueChange[] = [];
  walkObjects([], from, to, (change) => {
    changes.push(change);
    return true;
  });
  return { changes, build: (isTaken) => walkObjects([], from, to, ({ id }) => isTaken(id)) };
}

/** Called with each change; returns whether to apply it. */
type Take = (change: ValueChange) => boolean;
type Path = readonly string[];
type List = readonly JsonValue[];

/** Every segment is prefixed by its length, so that no two paths give the same text. */
const idOf = (path: Path, kind: ValueChange['kind']) => JSON.stringify([kind === 'move', ...path]);

/** Returns the resulting value; undefined for none. */
function walk(path: Path, from: Value, to: Value, take: Take): Value {
  if (from !== undefined && to !== undefined) {
    if (isJsonObject(from) && isJsonObject(to)) return walkObjects(path, from, to, take);
    if (Array.isArray(from) && Array.isArray(to)) return walkLists(path, from, to, take);
    if (isSame(from, to)) return from;
  }
  const kind = from === undefined ? 'add' : to === undefined ? 'remove' : 'replace';
  return take({ path, id: idOf(path, kind), kind, from, to }) ? to : from;
}

function walkObjects(path: Path, from: JsonObject, to: JsonObject, take: Take): JsonObject {
  const members: [string, JsonValue][] = [];
  const visit = (name: string) => {
    const value = walk([...path, name], own(from, name), own(to, name), take);
    if (value !== undefined) members.push([name, value]);
  };
  for (const name of Object.keys(from)) visit(name);
  for (const name of Object.keys(to)) if (!Object.hasOwn(from, name)) visit(name);
  return Object.fromEntries(members);
}

function walkLists(path: Path, from: List, to: List, take: Take): List {
  const identity = identityOf([from, to]);
  return identity === undefined ? walkIndexes(path, from, to, take) : walkIdentified(path, from, to, identity, take);
}

/** Equal elements at both ends stay; those between are compared in pairs. */
function walkIndexes(path: Path, from: List, to: List, take: Take): List {
  const most = Math.min(from.length, to.length);
  let begin = 0;
  while (begin < most && isSame(from[begin], to[begin])) begin++;
  let end = 0;
  while (end < most - begin && isSame(from[from.length - 1 - end], to[to.length - 1 - end])) end++;
  const between = Math.max(from.length, to.length) - begin - end;
  const values = Array.from({ length: between }, (_, place) => {
    const [one, other] = [begin + place, begin + place];
    return walk(
      [...path, String(begin + place)],
      one < from.length - end ? from[one] : undefined,
      other < to.length - end ? to[other] : undefined,
      take,
    );
  });
  return [...from.slice(0, begin), ...values.filter((value) => value !== undefined), ...from.slice(from.length - end)];
}

function walkIdentified(path: Path, from: List, to: List, identity: (element: JsonValue) => string, take: Take): List {
  const [before, after] = [from, to].map((list) => new Map(list.map((element) => [identity(element), element])));
  if (before === undefined || after === undefined) return from;
  const kept = new Map<string, JsonValue>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const value = walk([...path, name], before.get(name), after.get(name), take);
    if (value !== undefined) kept.set(name, value);
  }
  const [oldOrder, newOrder] = [[...before.keys()], [...after.keys()]];
  const common = (order: readonly string[]) => order.filter((name) => before.has(name) && after.has(name));
  const isMoved = !isSame(common(oldOrder), common(newOrder));
  const change = { path, id: idOf(path, 'move'), kind: 'move', from: undefined, to: undefined } as const;
  const order = !isMoved || take(change) ? joinOrders(newOrder, oldOrder) : joinOrders(oldOrder, newOrder);
  return order.flatMap((name) => kept.get(name) ?? []);
}

const own = (object: JsonObject, name: string): Value => (Object.hasOwn(object, name) ? object[name] : undefined);
