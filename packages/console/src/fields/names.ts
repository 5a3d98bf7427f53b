/** The names of fields for people: the title in the schema, otherwise the key in words. JSON and the paths of problems keep the key. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Value } from '../json-text/changes.ts';
import { positionIn } from '../json-text/line-in-text.ts';
import { type Hint, type Hints, namesOf, titleOf } from './hints.ts';
import { keyInWords } from './key-in-words.ts';
import { isRows, isTexts } from './kinds.ts';
import { flagsName } from './members.ts';
import { identifierOf } from './path-text.ts';
import { type Path, valueAt } from './values.ts';

/** Returns the name of a member, which others may share. */
const nameOf = (key: string, hint: Hint, isData: boolean): string => titleOf(hint) ?? (isData ? key : keyInWords(key));

/**
 * Returns a function that names the members of objects with one schema, and those that the schema has, by key. A name that several share
 * is followed by the key. `isData`: whether the keys are data and stay as they are.
 */
export function memberNames(
  objects: readonly JsonObject[],
  hint: Hint,
  hints: Hints,
  isData = false,
): (key: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const key of new Set([...namesOf(hint), ...objects.flatMap((object) => Object.keys(object))])) {
    const name = nameOf(key, hints.below(hint, key, false), isData);
    names.set(key, name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (key) => {
    const name = names.get(key) ?? nameOf(key, hints.below(hint, key, false), isData);
    return name === key || (counts.get(name) ?? 0) < 2 ? name : `${name} (${key})`;
  };
}

/** Whether the keys of an object are data, such as the ids of its members, and no names of fields. */
export function hasDataKeys(object: JsonObject, hint: Hint): boolean {
  const { additionalProperties } = hint;
  const isDeclared = additionalProperties !== undefined && isJsonObject(additionalProperties);
  const isMap = isDeclared && Object.keys(additionalProperties).length > 0 && namesOf(hint).length === 0;
  return isMap || isTexts(object) || isRows(object, hint);
}

export interface Naming {
  readonly hints: Hints;
  /** Names an element of a list by its position from 0. */
  readonly entry: (position: number) => string;
  /** Names a language by its code. */
  readonly language: (code: string) => string;
}

/**
 * Returns a function that names the segments of a path in documents of one form, some of which have the value. An element of a list is
 * named by its position, `2` or `# 2`, or its identifier, `id bow`.
 */
export function pathNamer(
  documents: readonly JsonValue[],
  { hints, entry, language }: Naming,
): (path: Path) => readonly string[] {
  /** By the first of the objects at a path. */
  const known = new Map<JsonObject, (key: string) => string>();
  const namesIn = (objects: readonly JsonObject[], hint: Hint, areData: boolean) => {
    const [first] = objects;
    const earlier = first && known.get(first);
    if (earlier !== undefined) return earlier;
    const names = memberNames(objects, hint, hints, areData || objects.some((object) => hasDataKeys(object, hint)));
    if (first !== undefined) known.set(first, names);
    return names;
  };
  return (path) => {
    let [values, hint, isText]: [readonly Value[], Hint, boolean] = [documents, hints.root, false];
    return path.map((segment, index) => {
      const objects = values.filter((value) => value !== undefined && isContainer(value) && isJsonObject(value));
      const lists = values.filter(Array.isArray);
      const isList = objects.length === 0 && lists.length > 0;
      const isOfTexts = objects.some(isTexts);
      const areData = isText || (index === 1 && path[0] === flagsName);
      const names = isList || isOfTexts ? undefined : namesIn(objects, hint, areData);
      const position = isList ? Math.max(...lists.map((list) => positionIn(list, segment))) : -1;
      hint = hints.below(hint, isList ? String(position) : segment, isList);
      values = values.map((value) => valueAt(value, [Array.isArray(value) ? String(positionIn(value, segment)) : segment]));
      isText ||= isOfTexts;
      if (isList)
        return (
          elementName(
            segment,
            values.find((value) => value !== undefined),
          ) ?? entry(position)
        );
      return names === undefined ? language(segment) : names(segment);
    });
  };
}

/** The identifier of an element; undefined if its position names it. */
function elementName(segment: string, element: Value): string | undefined {
  if (segment.startsWith('# ')) return undefined;
  return /^\d+$/.test(segment) ? identifierOf(element) : segment.slice(segment.indexOf(' ') + 1);
}
