/**
 * The changes between two documents by value, as people see them: each added, removed or replaced value is one change, however a patch
 * would express it. Objects in a list are matched by `id`, `key`, `slug` or `name` if all have distinct ones; others as a
 * sequence, of which the longest common part stays.
 */
import { identityOf, isJsonObject, isSame, type JsonObject, type JsonValue, joinOrders, printJson } from '@holdfast/json';

/** A value, or undefined for a missing member or element. */
export type Value = JsonValue | undefined;

export interface ValueChange {
  /** The path for people. A list element is named by its identifier as `id bow`, or by its position from 0 as `# 2`. */
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

/** Compares two documents in linear time, except for lists whose elements have no identity. */
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

/** A removed element of a list and an added one may have the same position. */
const idOf = (path: Path, kind: ValueChange['kind']) =>
  JSON.stringify([kind === 'add' || kind === 'replace' ? '' : kind, ...path]);

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

/** Longer lists between equal ends are compared in pairs, since comparing them as sequences takes their product. */
const comparedMax = 1_000_000;

/** Compares as sequences: equal elements stay; between them, elements are compared in pairs, then added or removed. */
function walkIndexes(path: Path, from: List, to: List, take: Take): List {
  const result: JsonValue[] = [];
  let [one, other] = [0, 0];
  const walkGap = (oneEnd: number, otherEnd: number) => {
    while (one < oneEnd || other < otherEnd) {
      const [before, after] = [one < oneEnd ? from[one] : undefined, other < otherEnd ? to[other] : undefined];
      const value = walk([...path, `# ${after === undefined ? one : other}`], before, after, take);
      if (value !== undefined) result.push(value);
      if (one < oneEnd) one++;
      if (other < otherEnd) other++;
    }
  };
  for (const [oneNext, otherNext] of equalPairs(from, to)) {
    walkGap(oneNext, otherNext);
    result.push(...from.slice(oneNext, oneNext + 1));
    [one, other] = [oneNext + 1, otherNext + 1];
  }
  walkGap(from.length, to.length);
  return result;
}

/** Positions of equal elements in both lists, in order: those at both ends, and a longest common sequence between them. */
function equalPairs(from: List, to: List): readonly (readonly [number, number])[] {
  const most = Math.min(from.length, to.length);
  let begin = 0;
  while (begin < most && isSame(from[begin], to[begin])) begin++;
  let end = 0;
  while (end < most - begin && isSame(from[from.length - 1 - end], to[to.length - 1 - end])) end++;
  const middle = commonSequence(from.slice(begin, from.length - end), to.slice(begin, to.length - end));
  return [
    ...Array.from({ length: begin }, (_, index) => [index, index] as const),
    ...middle.map(([one, other]) => [begin + one, begin + other] as const),
    ...Array.from({ length: end }, (_, index) => [from.length - end + index, to.length - end + index] as const),
  ];
}

function commonSequence(from: List, to: List): readonly (readonly [number, number])[] {
  const width = to.length + 1;
  if (from.length === 0 || to.length === 0 || from.length * to.length > comparedMax) return [];
  const [before, after] = [from.map(printJson), to.map(printJson)];
  /** The length of the longest common sequence of both rests. */
  const lengths = new Uint16Array((from.length + 1) * width);
  const lengthAt = (one: number, other: number): number => lengths[one * width + other] ?? 0;
  for (let one = from.length - 1; one >= 0; one--) {
    for (let other = to.length - 1; other >= 0; other--) {
      const isEqual = before[one] === after[other];
      lengths[one * width + other] = isEqual
        ? lengthAt(one + 1, other + 1) + 1
        : Math.max(lengthAt(one + 1, other), lengthAt(one, other + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let one = 0, other = 0; one < from.length && other < to.length; ) {
    if (before[one] === after[other]) pairs.push([one++, other++]);
    else if (lengthAt(one + 1, other) >= lengthAt(one, other + 1)) one++;
    else other++;
  }
  return pairs;
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
