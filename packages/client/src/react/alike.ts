/** Whether two values look the same: equal text, number or list, or objects with equal members. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return isSameInstance(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isAlike(Reflect.get(one, name), Reflect.get(other, name)));
}

/** Whether two instances, such as dates, have the same JSON. */
function isSameInstance(one: unknown, other: unknown): boolean {
  const [jsonOfOne, jsonOfOther] = [jsonOf(one), jsonOf(other)];
  if (jsonOfOne === undefined || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  return isAlike(jsonOfOne.value, jsonOfOther?.value);
}

/** The JSON of an instance; undefined if it does not define one. */
function jsonOf(value: unknown): { readonly value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const toJSON: unknown = Reflect.get(value, 'toJSON');
  return typeof toJSON === 'function' ? { value: toJSON.call(value) } : undefined;
}

/** Whether a value is an array or a plain object, which its members describe completely. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
