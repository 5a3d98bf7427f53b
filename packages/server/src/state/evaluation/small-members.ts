/** Reads short members of a body that go with its document. */
import { isJsonObject, type JsonValue } from '@holdfast/json';

/** Members to read besides the document: numbers, null, and strings cut to this many characters plus one. */
export interface SmallMembers {
  readonly names: readonly string[];
  readonly charactersMax: number;
}

/** Cuts longer strings, so that a thread does not send more than is read; a cut string is still too long. */
export function readSmall(
  body: JsonValue,
  { names, charactersMax }: SmallMembers,
): Readonly<Record<string, string | number | null>> {
  const members = isJsonObject(body) ? body : {};
  const found: [string, string | number | null][] = [];
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'string') found.push([name, value.slice(0, charactersMax + 1)]);
    else if (typeof value === 'number' || value === null) found.push([name, value]);
  }
  return Object.fromEntries(found);
}
