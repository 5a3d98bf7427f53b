/** A difference in parts that can be taken over one by one. */
import { applyOperations, isJsonObject, type JsonObject, type JsonValue, type PatchOperation } from '@holdfast/json';

export interface Part {
  /** Pointer of what changes. */
  readonly path: string;
  readonly kind: 'add' | 'remove' | 'replace';
  readonly operations: readonly PatchOperation[];
}

/**
 * Groups the operations of a patch of `target`. Those below one array stay together: the indices of each count on the ones before.
 */
export function partsOf(target: JsonObject, operations: readonly PatchOperation[]): Part[] {
  const parts = new Map<string, PatchOperation[]>();
  for (const operation of operations) {
    const path = partPath(target, operation.path);
    parts.set(path, [...(parts.get(path) ?? []), operation]);
  }
  return [...parts].map(([path, group]) => {
    const [first] = group;
    const kind = group.length === 1 && first?.path === path ? first.op : 'replace';
    return { path, kind, operations: group };
  });
}

/** Returns the document after the operations. Throws when one does not fit. */
export function patched(target: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  if (operations.length === 0) return target;
  const result = applyOperations(target, operations);
  if (result.kind === 'failure') throw new Error(result.message);
  return result.document;
}

/** The path of the outermost array on the way, or else the whole path. */
function partPath(target: JsonObject, path: string): string {
  let value: JsonValue | undefined = target;
  let length = 0;
  for (const segment of path.split('/').slice(1)) {
    if (Array.isArray(value)) return path.slice(0, length);
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    value = value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    length += segment.length + 1;
  }
  return path;
}
