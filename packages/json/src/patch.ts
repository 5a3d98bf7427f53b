import { ChunkedList } from './chunked-list.ts';
import {
  type ApplicationFailure,
  badIndex,
  noSuchMember,
  resultNotObject,
  resultTooDeep,
  rootNotObject,
  untraversable,
} from './patch-failure.ts';
import { endOfSegment, indexBelow, segmentAt } from './pointer.ts';
import type { PatchOperation } from './read-operations.ts';
import {
  defaultNestingDepthMax,
  exceedsNestingDepth,
  isContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from './text.ts';

/** The outcome of applying a patch to a value. */
export type PatchResult = { readonly kind: 'patched'; readonly document: JsonObject } | ApplicationFailure;

/** Containers that the run has copied and may change. */
type OwnArray = JsonValue[];
type OwnObject = Record<string, JsonValue>;

/**
 * An array is edited as a list of chunks if it has at least this many elements, and the patch more than this many operations. Otherwise
 * moving the elements is cheaper than dividing and joining the array.
 */
const chunkedElementsMin = 4096;
const chunkedOperationsMin = 32;

/**
 * Applies the operations in order, all or nothing. The document and the operations' values stay unchanged; the result shares unchanged
 * parts with both, so neither may be changed in place later.
 *
 * - `patch_path_not_found`: a member on the path is missing, or the target of `replace` or `remove` is;
 * - `patch_path_untraversable`: the path continues below a string, number, boolean or null;
 * - `patch_invalid_array_index`: a segment at an array is not an index, or out of range for the operation;
 * - `patch_invalid_state_root`: a path leads below a root that is not an object, or the result is not an object;
 * - `validation_error`, naming no operation: the result is nested deeper than `nestingDepthMax`. Deeper nesting in between is allowed. The
 * document must be within that depth.
 *
 * @see docs/contract.md §4.7; RFC 6902 §4
 */
export function applyOperations(
  document: JsonObject,
  operations: readonly PatchOperation[],
  nestingDepthMax: number = defaultNestingDepthMax,
): PatchResult {
  return new PatchRun(document, operations, nestingDepthMax).run();
}

/** A patch in progress. */
class PatchRun {
  readonly #operations: readonly PatchOperation[];
  readonly #nestingDepthMax: number;
  #root: JsonValue;
  #next = 0;
  /** Set when an operation adds something too deep. Whether it stays there is checked at the end. */
  #depthSuspected = false;
  /** The containers created by this run. Nothing else refers to them, so they may be changed. */
  readonly #owned = new Map<unknown, OwnArray | OwnObject>();
  /** The contents of owned arrays while they are edited in chunks; the array is out of date until the end. */
  readonly #lists = new Map<OwnArray, ChunkedList<JsonValue>>();

  constructor(document: JsonObject, operations: readonly PatchOperation[], nestingDepthMax: number) {
    this.#root = document;
    this.#operations = operations;
    this.#nestingDepthMax = nestingDepthMax;
  }

  run(): PatchResult {
    for (const operation of this.#operations) {
      const failure = this.#apply(operation);
      if (failure !== undefined) return failure;
      this.#next++;
    }
    return this.#finish();
  }

  #apply(operation: PatchOperation): ApplicationFailure | undefined {
    const { op, path } = operation;
    if (path === '') {
      this.#root = op === 'remove' ? null : operation.value;
      this.#watchDepth(this.#root, 0);
      return undefined;
    }
    if (!isJsonObject(this.#root)) return rootNotObject(this.#next);
    let container: OwnArray | OwnObject = this.#own(this.#root);
    this.#root = container;
    let start = 1;
    for (let depth = 1; ; depth++) {
      const end = endOfSegment(path, start);
      const segment = segmentAt(path, start, end);
      if (end === path.length) {
        if (op !== 'remove') this.#watchDepth(operation.value, depth);
        const edited = Array.isArray(container)
          ? this.#editArray(container, segment, operation)
          : this.#editObject(container, segment, operation);
        return edited ? undefined : this.#noChild(container, path, start);
      }
      const child = this.#childAt(container, segment);
      if (child === undefined) return this.#noChild(container, path, start);
      start = end + 1;
      if (!isContainer(child)) return untraversable(this.#next, path, start);
      const own = this.#own(child);
      if (own !== child) this.#replaceChild(container, segment, own);
      container = own;
    }
  }

  /** Records if a value below `depth` containers makes the document too deep. */
  #watchDepth(value: JsonValue, depth: number): void {
    this.#depthSuspected ||= isContainer(value) && exceedsNestingDepth(value, this.#nestingDepthMax - depth);
  }

  #finish(): PatchResult {
    for (const [array, list] of this.#lists) {
      const elements = list.toArray();
      array.length = 0;
      for (const element of elements) array.push(element);
    }
    this.#lists.clear();
    if (!isJsonObject(this.#root)) return resultNotObject(this.#operations.length - 1);
    if (this.#depthSuspected && exceedsNestingDepth(this.#root, this.#nestingDepthMax)) {
      return resultTooDeep(this.#nestingDepthMax);
    }
    return { kind: 'patched', document: this.#root };
  }

  /** Returns the container if this run created it, otherwise a copy. Each is copied at most once per run. */
  #own(container: JsonObject | readonly JsonValue[]): OwnArray | OwnObject {
    const owned = this.#owned.get(container);
    if (owned !== undefined) return owned;
    const copy = isJsonObject(container) ? { ...container } : container.slice();
    this.#owned.set(copy, copy);
    return copy;
  }

  #childAt(container: OwnArray | OwnObject, segment: string): JsonValue | undefined {
    if (!Array.isArray(container)) return Object.hasOwn(container, segment) ? container[segment] : undefined;
    const list = this.#lists.get(container);
    const index = indexBelow((list ?? container).length, segment);
    if (index === -1) return undefined;
    return list === undefined ? container[index] : list.at(index);
  }

  #replaceChild(container: OwnArray | OwnObject, segment: string, child: JsonValue): void {
    if (!Array.isArray(container)) {
      container[segment] = child; // an own member, so that even `__proto__` is an ordinary name
      return;
    }
    const list = this.#lists.get(container);
    if (list === undefined) container[Number(segment)] = child;
    else list.set(Number(segment), child);
  }

  #noChild(container: OwnArray | OwnObject, path: string, start: number): ApplicationFailure {
    if (!Array.isArray(container)) return noSuchMember(this.#next, path, start);
    return badIndex(this.#next, path, start, (this.#lists.get(container) ?? container).length);
  }

  /** Whether there was something to edit. */
  #editObject(object: OwnObject, name: string, operation: PatchOperation): boolean {
    if (operation.op !== 'add' && !Object.hasOwn(object, name)) return false;
    if (operation.op === 'remove') delete object[name];
    else setMember(object, name, operation.value);
    return true;
  }

  /** Whether the segment is an index that the operation can use. */
  #editArray(array: OwnArray, segment: string, operation: PatchOperation): boolean {
    const list = this.#lists.get(array);
    const { length } = list ?? array;
    const append = operation.op === 'add' && segment === '-';
    const index = append ? length : indexBelow(operation.op === 'add' ? length + 1 : length, segment);
    if (index === -1) return false;
    if (operation.op === 'replace') {
      if (list === undefined) array[index] = operation.value;
      else list.set(index, operation.value);
    } else if (operation.op === 'add') {
      if (list === undefined && index === length) array.push(operation.value);
      else this.#movable(array).insert(index, operation.value);
    } else if (list === undefined && index === length - 1) array.pop();
    else this.#movable(array).remove(index);
    return true;
  }

  /** Returns functions that insert and remove in the middle of the array, in chunks if that pays. */
  #movable(array: OwnArray): { insert(index: number, value: JsonValue): void; remove(index: number): void } {
    const list = this.#lists.get(array);
    if (list !== undefined) return list;
    if (array.length < chunkedElementsMin || this.#operations.length < chunkedOperationsMin) {
      return {
        insert: (index, value) => array.splice(index, 0, value),
        remove: (index) => array.splice(index, 1),
      };
    }
    const chunked = new ChunkedList(array);
    this.#lists.set(array, chunked);
    return chunked;
  }
}
