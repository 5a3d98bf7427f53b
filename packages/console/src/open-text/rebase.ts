/** Bases a change on what somebody else has saved since it began. */
import { isJsonObject, type JsonObject, type JsonValue, type Merge, merge3 } from '@holdfast/json';

/** A stored version. */
export interface Version {
  readonly version: number;
  readonly comment: string | null;
}

/** A value to write, and the version that it replaces. */
export interface Change<Stored extends Version, Value extends JsonValue> {
  /** Null if nothing is stored. */
  readonly base: Stored | null;
  readonly next: Value;
  /** The version with others' changes that it contains, if any. */
  readonly mergedVersion?: number;
}

/** A merge that needs decisions, since both sides changed the same value. */
export interface Overlap<Stored extends Version = Version> {
  readonly theirs: Stored;
  readonly merge: Merge;
}

/** Returns a change of the stored version; an overlap if both changed the same value. `contentOf` returns the value of a version. */
export function rebased<Stored extends Version, Value extends JsonValue>(
  theirs: Stored | null,
  { base, next }: Change<Stored, Value>,
  contentOf: (stored: Stored) => JsonValue,
): Change<Stored, Value | JsonObject> | Overlap<Stored> {
  if (theirs === null || theirs.version === base?.version) return { base: theirs, next };
  const before = base === null ? {} : objectOf(contentOf(base));
  const merge = merge3(before, objectOf(contentOf(theirs)), objectOf(next));
  return merge.conflicts.length > 0 ? { theirs, merge } : settled(theirs, merge.build(new Map()));
}

/** Returns the change that contains a version's changes. */
export const settled = <Stored extends Version>(theirs: Stored, next: JsonObject): Change<Stored, JsonObject> => ({
  base: theirs,
  next,
  mergedVersion: theirs.version,
});

/** A value that is not an object is merged as an empty one. */
const objectOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});
