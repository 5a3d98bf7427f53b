/** A document as it is stored: a write sends the smallest patch, which adds members at the end of their object. */
import { applyOperations, diff, type JsonObject } from '@holdfast/json';
import type { StateRecord } from '../api/state.ts';

/** Returns `next` in the order in which it is stored over `base`. */
export function asStored(base: StateRecord | null, next: JsonObject): JsonObject {
  if (base === null) return next;
  const patched = applyOperations(base.state, diff(base.state, next));
  return patched.kind === 'patched' ? patched.document : next;
}
