/**
 * Merges two documents with a common origin. Changes of one side are kept; different changes of the same value are a conflict, located
 * as deep in the document as possible.
 *
 * - Objects are merged member by member.
 * - Lists of objects with an identity are merged element by element, in the order of the side that changed it (`identity.ts`).
 * - Other lists are merged by position if all three are equally long. If both sides only appended elements, both are kept.
 */
import { checkDepth, isSame } from './diff.ts';
import { identityOf, joinOrders } from './identity.ts';
import { escapeSegment } from './pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './text.ts';

/** A value, or undefined for a missing member or element. */
type Value = JsonValue | undefined;
type List = readonly JsonValue[];

/** A value that both sides changed in different ways. */
export interface MergeConflict {
  /** Names from the root; an element is named by its identity (`id sword`) or its index. No two conflicts of a merge have the same. */
  readonly path: readonly string[];
  /**
   * JSON Pointer into the document of theirs; where the value is missing there, or its own pointer is longer than
   * 2,048 characters, to the nearest container around it.
   */
  readonly pointer: string;
  readonly base: Value;
  readonly theirs: Value;
  readonly mine: Value;
}

/** Names can be as long as a document, and each conflict below one would repeat it. */
const pointerCharactersMax = 2_048;

/** Of a conflict: the current document (`theirs`), or the change to merge into it (`mine`). */
export type MergeSide = 'theirs' | 'mine';

export interface Merge {
  /** In document order. */
  readonly conflicts: readonly MergeConflict[];
  /**
   * Returns the merged document, with one side of all conflicts, or the chosen side of each by its {@link conflictName}; mine without a
   * choice.
   */
  build(choices: ReadonlyMap<string, MergeSide> | MergeSide): JsonObject;
}

/** Returns the name of a conflict among the choices. */
export function conflictName(path: readonly string[]): string {
  return path.map((segment) => `/${escapeSegment(segment)}`).join('');
}

/**
 * Returns the merge of both sides' changes to `base`. `theirs` is the current document: its order of members is kept, and what both sides
 * added to a list comes from it first. Time and memory are linear in the three documents.
 *
 * @throws {RangeError} when a document is nested deeper than 256 levels where it is merged.
 */
export function merge3(base: JsonObject, theirs: JsonObject, mine: JsonObject): Merge {
  const conflicts: MergeConflict[] = [];
  const document = new Merging((conflict) => {
    conflicts.push(conflict);
    return conflict.mine;
  }).objects(base, theirs, mine, undefined);
  return {
    conflicts,
    build: (choices) => {
      if (conflicts.length === 0) return document;
      const choose = (conflict: MergeConflict) => {
        const side = typeof choices === 'string' ? choices : choices.get(conflictName(conflict.path));
        return side === 'theirs' ? conflict.theirs : conflict.mine;
      };
      return new Merging(choose).objects(base, theirs, mine, undefined);
    },
  };
}

/** The place of a value, as a linked list; undefined is the root. Paths and pointers are written out where a conflict's are read. */
type Place = Step | undefined;

interface Step {
  readonly parent: Place;
  readonly name: string;
  /** The segment in the document of theirs; undefined if missing there. */
  readonly segment: string | undefined;
  readonly depth: number;
}

/** A merge in progress. */
class Merging {
  readonly #decide: (conflict: MergeConflict) => Value;

  constructor(decide: (conflict: MergeConflict) => Value) {
    this.#decide = decide;
  }

  objects(base: JsonObject, theirs: JsonObject, mine: JsonObject, place: Place): JsonObject {
    const merged: [string, JsonValue][] = [];
    const visit = (name: string, segment: string | undefined) => {
      const at = below(place, name, segment);
      const value = this.#values(own(base, name), own(theirs, name), own(mine, name), at);
      if (value !== undefined) merged.push([name, value]);
    };
    for (const name of Object.keys(theirs)) visit(name, name);
    for (const name of Object.keys(mine)) if (!Object.hasOwn(theirs, name)) visit(name, undefined);
    return Object.fromEntries(merged);
  }

  #values(base: Value, theirs: Value, mine: Value, place: Step): Value {
    if (theirs === mine || mine === base) return theirs; // common, since documents share values
    if (theirs === base) return mine;
    if (isObject(theirs) && isObject(mine) && (base === undefined || isObject(base))) {
      return this.objects(base ?? {}, theirs, mine, place);
    }
    if (isArray(base) && isArray(theirs) && isArray(mine)) return this.#lists(base, theirs, mine, place);
    return this.#whole(base, theirs, mine, place);
  }

  /** One of the values as a whole. */
  #whole(base: Value, theirs: Value, mine: Value, place: Step): Value {
    if (isSame(theirs, mine) || isSame(mine, base)) return theirs;
    if (isSame(theirs, base)) return mine;
    return this.#decide(conflictAt(place, base, theirs, mine));
  }

  #lists(base: List, theirs: List, mine: List, place: Step): Value {
    const identity = identityOf([base, theirs, mine]);
    if (identity !== undefined) return this.#identified(identity, [base, theirs, mine], place);
    if (base.length === theirs.length && base.length === mine.length) {
      return base.map((value, index) => {
        const at = below(place, String(index), String(index));
        return this.#values(value, theirs[index], mine[index], at) as JsonValue;
      });
    }
    const beginsWithBase = (list: List) =>
      list.length > base.length && base.every((value, index) => isSame(value, list[index]));
    if (beginsWithBase(theirs) && beginsWithBase(mine) && !isSame(theirs, mine)) {
      return [...theirs, ...mine.slice(base.length)];
    }
    return this.#whole(base, theirs, mine, place);
  }

  #identified(identity: (element: JsonValue) => string, lists: readonly [List, List, List], place: Step): Value {
    const [base, theirs, mine] = lists.map((list) => new Map(list.map((element) => [identity(element), element])));
    if (base === undefined || theirs === undefined || mine === undefined) return undefined;
    const order = orderOf(base, theirs, mine);
    if (order === undefined) return this.#whole(...lists, place);
    const indexes = new Map([...theirs.keys()].map((name, index) => [name, String(index)]));
    const merged: JsonValue[] = [];
    for (const name of order) {
      const at = below(place, name, indexes.get(name));
      const value = this.#values(base.get(name), theirs.get(name), mine.get(name), at);
      if (value !== undefined) merged.push(value);
    }
    return merged;
  }
}

type Elements = ReadonlyMap<string, JsonValue>;

/** Returns the names of both sides in the merged order; undefined if both changed the order, in different ways. */
function orderOf(base: Elements, theirs: Elements, mine: Elements): string[] | undefined {
  const [ofTheirs, ofMine] = [[...theirs.keys()], [...mine.keys()]];
  if (isOrderSame(mine, base)) return joinOrders(ofTheirs, ofMine, (name) => !base.has(name));
  if (isOrderSame(theirs, base)) return joinOrders(ofMine, ofTheirs);
  return isOrderSame(mine, theirs) ? joinOrders(ofTheirs, ofMine, (name) => !base.has(name)) : undefined;
}

/** Whether the names that both have come in the same order. */
function isOrderSame(one: Elements, other: Elements): boolean {
  const names = [...other.keys()].filter((name) => one.has(name));
  let next = 0;
  for (const name of one.keys()) if (other.has(name) && names[next++] !== name) return false;
  return true;
}

function below(parent: Place, name: string, segment: string | undefined): Step {
  const depth = (parent?.depth ?? 0) + 1;
  checkDepth(depth - 1);
  return { parent, name, segment, depth };
}

/** Returns the places from the first below the root. */
function stepsTo(place: Place): Step[] {
  const steps: Step[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(at);
  return steps.reverse();
}

const pathOf = (place: Place): string[] => stepsTo(place).map(({ name }) => name);

function conflictAt(place: Step, base: Value, theirs: Value, mine: Value): MergeConflict {
  return {
    get path() {
      return pathOf(place);
    },
    get pointer() {
      return pointerTo(place);
    },
    base,
    theirs,
    mine,
  };
}

function pointerTo(place: Place): string {
  let pointer = '';
  for (const { segment } of stepsTo(place)) {
    if (segment === undefined || pointer.length + segment.length >= pointerCharactersMax) return pointer;
    const longer = `${pointer}/${escapeSegment(segment)}`;
    if (longer.length > pointerCharactersMax) return pointer;
    pointer = longer;
  }
  return pointer;
}

const own = (object: JsonObject, name: string): Value => (Object.hasOwn(object, name) ? object[name] : undefined);
const isArray = (value: Value): value is List => Array.isArray(value);
const isObject = (value: Value): value is JsonObject => value !== undefined && isJsonObject(value);
