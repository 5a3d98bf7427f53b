import type { JsonObject, JsonValue } from '@holdfast/json';
import { isObject } from '../exact.ts';

/** An operation made by the service, which fits the document. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: JsonValue;
}

/** Returns the document after the operations. Unchanged parts are shared with the previous document. */
export function applyOps(document: JsonValue, ops: readonly Operation[]): JsonValue {
  return ops.reduce((before: JsonValue, { op, path, value = null }) => {
    if (path === '') return value;
    const segments = path
      .slice(1)
      .split('/')
      .map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
    return change(before as JsonObject, segments, 0, op, value);
  }, document);
}

/** Applies another client's operations to a document; undefined if they do not fit, which the service reports better. */
export function resultOf(document: JsonObject | undefined, ops: JsonValue | undefined): JsonObject | undefined {
  if (document === undefined) return undefined;
  try {
    const result = applyOps(document, ops as unknown as readonly Operation[]);
    return isObject(result) ? result : undefined;
  } catch {
    return undefined;
  }
}

function change(
  container: JsonObject | readonly JsonValue[],
  segments: readonly string[],
  depth: number,
  op: Operation['op'],
  value: JsonValue,
): JsonValue {
  const segment = segments[depth] ?? '';
  const isLast = depth === segments.length - 1;
  const child = (found: JsonValue | undefined): JsonValue =>
    isLast ? value : change(found as JsonObject, segments, depth + 1, op, value);
  if (Array.isArray(container)) {
    const index = segment === '-' ? container.length : Number(segment);
    const added = isLast && op === 'remove' ? [] : [child(container[index])];
    return [...container.slice(0, index), ...added, ...container.slice(index + (isLast && op === 'add' ? 0 : 1))];
  }
  const members = new Map(Object.entries(container));
  if (isLast && op === 'remove') members.delete(segment);
  else members.set(segment, child(members.get(segment)));
  return Object.fromEntries(members);
}
