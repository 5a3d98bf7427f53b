/** The members of an object in the order in which a form shows them, and those of a configuration that no game reads. */
import type { JsonObject } from '@holdfast/json';
import type { StateKey } from '../api/state.ts';
import { type Hint, namesOf } from './hints.ts';

/** Where the flags of a configuration have their page. */
export type Configuration = Pick<StateKey, 'slug' | 'env'>;

/** The member of a configuration with its feature flags. */
export const flagsName = 'flags';

const isTechnical = (name: string): boolean => name === flagsName || name === 'schema' || name.startsWith('$');

export interface Members {
  readonly names: readonly string[];
  /** Shown at the end, and folded. */
  readonly technical: readonly string[];
}

/** Returns the names of an object's members: those of the schema in its order, then the others. */
export function membersOf(value: JsonObject, hint: Hint, isConfiguration: boolean): Members {
  const known = namesOf(hint).filter((name) => Object.hasOwn(value, name));
  const listed = new Set(known);
  const all = [...known, ...Object.keys(value).filter((name) => !listed.has(name))];
  if (!isConfiguration) return { names: all, technical: [] };
  return { names: all.filter((name) => !isTechnical(name)), technical: all.filter(isTechnical) };
}
