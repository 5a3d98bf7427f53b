/** The members that tell the objects of a list apart, the most stable first. */
import { isJsonObject, type JsonValue } from '@holdfast/json';

export const identityNames = ['id', 'key', 'slug', 'name'] as const;

/** Returns the first text that identifies an object; undefined if it has none, or is not an object. */
export function identityOf(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return identityNames.map((name) => value[name]).find((one): one is string => typeof one === 'string' && one !== '');
}
