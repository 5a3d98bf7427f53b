/** The names of fields for people: the title in the schema, otherwise the key in words. JSON and the paths of problems keep the key. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Value } from '../state/changes.ts';
import { positionIn } from '../state/line-in-text.ts';
import { identifierOf } from '../state/path-text.ts';
import { type Hint, type Hints, namesOf, titleOf } from './hints.ts';
import { keyInWords } from './key-in-words.ts';
import { isRows, isTexts } from './kinds.ts';
import { flagsName } from './members.ts';
import { type Path, valueAt } from './values.ts';

/** Returns the name of a member. `isData`: whether its key is data and stays as it is. */
export const nameOf = (key: string, hint: Hint, isData = false): string =>
  titleOf(hint) ?? (isData ? key : keyInWords(key));

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
  const known = new Map<JsonObject, boolean>();
  const areData = (object: JsonObject, hint: Hint): boolean => {
    const is = known.get(object) ?? hasDataKeys(object, hint);
    known.set(object, is);
    return is;
  };
  return (path) => {
    let [values, hint, isText]: [readonly Value[], Hint, boolean] = [documents, hints.root, false];
    return path.map((segment, index) => {
      const objects = values.filter((value) => value !== undefined && isContainer(value) && isJsonObject(value));
      const lists = values.filter(Array.isArray);
      const isList = objects.length === 0 && lists.length > 0;
      const isOfTexts = objects.some(isTexts);
      const isData = objects.some((object) => areData(object, hint)) || (index === 1 && path[0] === flagsName);
      const position = isList ? Math.max(...lists.map((list) => positionIn(list, segment))) : -1;
      hint = hints.below(hint, isList ? String(position) : segment, isList);
      values = values.map((value) => valueAt(value, [Array.isArray(value) ? String(positionIn(value, segment)) : segment]));
      const isUnderTexts = isText;
      isText ||= isOfTexts;
      if (isList)
        return (
          elementName(
            segment,
            values.find((value) => value !== undefined),
          ) ?? entry(position)
        );
      if (isOfTexts) return language(segment);
      return nameOf(segment, hint, isUnderTexts || isData);
    });
  };
}

/** The identifier of an element; undefined if its position names it. */
function elementName(segment: string, element: Value): string | undefined {
  if (segment.startsWith('# ')) return undefined;
  return /^\d+$/.test(segment) ? identifierOf(element) : segment.slice(segment.indexOf(' ') + 1);
}
