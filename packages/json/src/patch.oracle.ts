/**
 * A second, deliberately simple JSON Patch to compare the real one with: every operation rebuilds the document recursively, objects are
 * maps, and nothing is shared.
 */
import { depthOf, type Model, NumberModel } from './model.oracle.ts';

export type OracleResult = { readonly document: Model } | { readonly code: string; readonly operation: number | null };

class Fault extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns the expected outcome. `ops` is the value in the request; the structure of all operations is checked first. */
export function patchModel(document: Model, ops: Model | undefined, nestingDepthMax = 256): OracleResult {
  if (!Array.isArray(ops) || ops.length === 0) return { code: 'patch_invalid', operation: null };
  let operation = 0;
  try {
    for (; operation < ops.length; operation++) checkOperation(ops[operation] as Model);
    let root = structuredCopy(document);
    for (operation = 0; operation < ops.length; operation++) {
      const { op, path, value } = members(ops[operation] as Map<string, Model>);
      root = change(root, splitPath(path as string), op as string, value, true);
    }
    operation = ops.length - 1;
    if (!(root instanceof Map)) throw new Fault('patch_invalid_state_root');
    return depthOf(root) > nestingDepthMax ? { code: 'validation_error', operation: null } : { document: root };
  } catch (fault) {
    if (fault instanceof Fault) return { code: fault.code, operation };
    throw fault;
  }
}

function members(operation: Map<string, Model>) {
  return { op: operation.get('op'), path: operation.get('path'), value: operation.get('value') };
}

function checkOperation(operation: Model): void {
  if (!(operation instanceof Map)) throw new Fault('patch_invalid');
  const { op, path, value } = members(operation);
  if (!['add', 'remove', 'replace'].includes(op as string)) throw new Fault('patch_unsupported_operation');
  if (typeof path !== 'string') throw new Fault('patch_invalid_path');
  if (path.length > 0 && path.charAt(0) !== '/') throw new Fault('patch_invalid_path');
  for (let i = 0; i < path.length; i++) {
    if (path.charAt(i) === '~' && !'01'.includes(path.charAt(i + 1) || 'x')) throw new Fault('patch_invalid_path');
  }
  if (op !== 'remove' && value === undefined) throw new Fault('patch_missing_value');
  if (op === 'remove' && path === '') throw new Fault('patch_invalid');
}

function splitPath(path: string): string[] {
  const meaning: Record<string, string> = { '~0': '~', '~1': '/' };
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/~[01]/g, (pair) => meaning[pair] as string));
}

/** Returns the node after the operation. */
function change(node: Model, [segment, ...rest]: string[], op: string, value: Model | undefined, isRoot: boolean): Model {
  if (segment === undefined) return structuredCopy(value as Model);
  if (isRoot && !(node instanceof Map)) throw new Fault('patch_invalid_state_root');
  const isLast = rest.length === 0;
  if (node instanceof Map) {
    if (!node.has(segment) && !(isLast && op === 'add')) throw new Fault('patch_path_not_found');
    const copy = new Map(node);
    if (isLast && op === 'remove') copy.delete(segment);
    else copy.set(segment, change(node.get(segment) as Model, rest, op, value, false));
    return copy;
  }
  if (!Array.isArray(node)) throw new Fault('patch_path_untraversable');
  const adds = isLast && op === 'add';
  const index = adds && segment === '-' ? node.length : indexOf(segment);
  if (index > node.length || (index === node.length && !adds)) throw new Fault('patch_invalid_array_index');
  const before = node.slice(0, index);
  if (adds) return [...before, structuredCopy(value as Model), ...node.slice(index)];
  if (isLast && op === 'remove') return [...before, ...node.slice(index + 1)];
  return [...before, change(node[index] as Model, rest, op, value, false), ...node.slice(index + 1)];
}

function indexOf(segment: string): number {
  const index = Number.parseInt(segment, 10);
  if (!(index >= 0) || (String(index) !== segment && !/^[1-9][0-9]{15,}$/.test(segment))) {
    throw new Fault('patch_invalid_array_index');
  }
  return index;
}

function structuredCopy(model: Model): Model {
  if (Array.isArray(model)) return model.map(structuredCopy);
  if (model instanceof Map) return new Map([...model].map(([name, value]) => [name, structuredCopy(value)]));
  return model instanceof NumberModel ? new NumberModel(model.literal) : model;
}
