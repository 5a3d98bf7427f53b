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
    const at: number = Array.isArray(value)
      ? indexOfSegment(value, segment)
      : entries.findIndex(([name]) => name === segment);
    const found: [string, JsonValue] | undefined = entries[at];
    if (found === undefined) return line;
    for (const [, before] of entries.slice(0, at)) line += linesOf(before);
    line += 1;
    value = found[1];
  }
  return line;
}

/** An element is named by its position or identifier (changes.ts). */
function indexOfSegment(list: readonly JsonValue[], segment: string): number {
  if (/^# \d+$/.test(segment)) return Number(segment.slice(2));
  const [name = '', ...rest] = segment.split(' ');
  return list.findIndex((element) => isJsonObject(element) && String(element[name]) === rest.join(' '));
}

function linesOf(value: JsonValue): number {
  if (!isContainer(value)) return 1;
  const children = Object.values<JsonValue>(value);
  return children.length === 0 ? 1 : children.reduce((sum: number, child) => sum + linesOf(child), 2);
}
