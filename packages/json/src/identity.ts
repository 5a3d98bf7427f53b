/** Identifies the objects of a list by the first of these members that all of them have, each with its own value. */
import { isJsonObject, isRawNumber, type JsonValue, printJson } from './text.ts';

const identityNames = ['id', 'key', 'slug', 'name'] as const;

/**
 * Returns the function that names an element of these lists, by the member that identifies elements in each of the lists; undefined if no
 * member does, or all lists are empty.
 */
export function identityOf(lists: readonly (readonly JsonValue[])[]): ((element: JsonValue) => string) | undefined {
  if (lists.every((list) => list.length === 0)) return undefined;
  const name = identityNames.find((each) => lists.every((list) => areDistinct(list, each)));
  return name === undefined ? undefined : (element) => `${name} ${nameIn(element, name)}`;
}

function areDistinct(list: readonly JsonValue[], name: string): boolean {
  const seen = new Set<string>();
  for (const element of list) {
    const found = nameIn(element, name);
    if (found === undefined || seen.has(found)) return false;
    seen.add(found);
  }
  return true;
}

/** The number 1 and the text "1" identify the same element. */
function nameIn(element: JsonValue, name: string): string | undefined {
  if (!isJsonObject(element) || !Object.hasOwn(element, name)) return undefined;
  const value = element[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || isRawNumber(value) ? printJson(value) : undefined;
}

/**
 * Returns the names of `first` in their order, and among them the names that only `second` has, each after its predecessor there. Names of
 * `first` for which `isPassed` holds come before these.
 */
export function joinOrders(
  first: readonly string[],
  second: readonly string[],
  isPassed: (name: string) => boolean = () => false,
): string[] {
  const known = new Set(first);
  const followers = new Map<string | undefined, string[]>();
  let last: string | undefined;
  for (const name of second) {
    const after = followers.get(last);
    if (known.has(name)) last = name;
    else if (after === undefined) followers.set(last, [name]);
    else after.push(name);
  }
  const joined: string[] = [];
  let waiting = followers.get(undefined) ?? [];
  const flush = () => {
    for (const name of waiting) joined.push(name);
    waiting = [];
  };
  for (const name of first) {
    if (!isPassed(name)) flush();
    joined.push(name);
    for (const follower of followers.get(name) ?? []) waiting.push(follower);
  }
  flush();
  return joined;
}
