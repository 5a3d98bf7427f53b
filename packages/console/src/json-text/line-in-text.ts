/** Finds the line of a value in a document's text with one value per line. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';

/** A line of one of two compared texts, from 1. */
export interface DiffLine {
  readonly side: 'from' | 'to';
  readonly line: number;
}

/** Returns the line of a value, from 1; that of the nearest container if there is no such value. */
export function lineOf(document: JsonObject, path: readonly string[]): number {
  let line = 1;
  let value: JsonValue = document;
  for (const segment of path) {
    if (!isContainer(value)) return line;
    const entries: [string, JsonValue][] = Object.entries<JsonValue>(value);
    const at: number = Array.isArray(value) ? positionIn(value, segment) : entries.findIndex(([name]) => name === segment);
    const found: [string, JsonValue] | undefined = entries[at];
    if (found === undefined) return line;
    for (const [, before] of entries.slice(0, at)) line += linesOf(before);
    line += 1;
    value = found[1];
  }
  return line;
}

/** Returns the position of an element that is named by its position, as `# 2` or `2`, or its identifier (changes.ts); -1 for none. */
export function positionIn(list: readonly JsonValue[], segment: string): number {
  const position = /^(?:# )?(\d+)$/.exec(segment)?.[1];
  if (position !== undefined) return Number(position);
  const [name = '', ...rest] = segment.split(' ');
  return list.findIndex((element) => isJsonObject(element) && String(element[name]) === rest.join(' '));
}

function linesOf(value: JsonValue): number {
  if (!isContainer(value)) return 1;
  const children = Object.values<JsonValue>(value);
  return children.length === 0 ? 1 : children.reduce((sum: number, child) => sum + linesOf(child), 2);
}
