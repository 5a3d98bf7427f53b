/** Levels of arrays and objects that are accepted where no other number is given. The outermost container is level 1. */
export const defaultNestingDepthMax = 256;

/** A number that a double cannot hold, kept as its literal. It is a scalar, although the runtime makes it an object. */
export interface RawNumber {
  readonly rawJSON: string;
}

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A JSON value. It is never changed in place: values are shared between caches, documents and operations. */
export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject;

/** The part of the runtime's `JSON` that the compiler's library does not describe. Browsers before 2025 may lack it. */
const runtime = JSON as unknown as {
  rawJSON?(this: void, literal: string): RawNumber;
  isRawJSON?(this: void, value: unknown): value is RawNumber;
};
const { rawJSON = rejectRawNumber, isRawJSON = (_value: unknown): _value is RawNumber => false } = runtime;

function rejectRawNumber(literal: string): never {
  throw new Error(`cannot keep the number ${literal.slice(0, 40)} exactly: this runtime has no JSON.rawJSON`);
}

/** A number that prints as the literal, which must be a JSON number. */
export function rawNumber(literal: string): RawNumber {
  return rawJSON(literal);
}

/** Sets a member as JSON has it: `__proto__` is a name like any other. */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  // Assignment would set the prototype where the member does not exist yet.
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether the value is a number that is kept as its literal. */
export function isRawNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/** Whether the value is a JSON object: no array, not null, and no number that is kept as its literal. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** Whether the value is an array or an object, so that it can hold other values. */
export function isContainer(value: unknown): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}

/** Whether the value is nested deeper than `nestingDepthMax`: a scalar has depth 0, `[]` and `{}` have depth 1. */
export function exceedsNestingDepth(value: JsonValue, nestingDepthMax: number = defaultNestingDepthMax): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > nestingDepthMax) return true;
    const next: (JsonObject | readonly JsonValue[])[] = [];
    for (const container of level) {
      const children = Array.isArray(container) ? container : Object.values(container);
      for (const child of children) if (isContainer(child)) next.push(child);
    }
    level = next;
  }
  return false;
}
