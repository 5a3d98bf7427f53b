/** Fields of documents as their rules name them, and where a schema has the rules of a field. */
import type { Path } from '../../fields/values.ts';

/**
 * `each` stands for every entry of a list, `other` for every member of an object that the schema does not name, and `member` for the same
 * where it names none.
 */
export type FieldStep = { readonly name: string } | 'each' | 'member' | 'other';
export type FieldPath = readonly FieldStep[];

/** Returns a text that no other field has. */
export const fieldKey = (path: FieldPath): string =>
  JSON.stringify(path.map((step) => (step === 'member' ? 'other' : step)));

/** Returns the path of a field's schema within the schema of the document, as far as no reference leads there. */
export const placeOf = (path: FieldPath): Path => path.flatMap(placeOfStep);

const placeOfStep = (step: FieldStep): Path => {
  if (typeof step !== 'string') return ['properties', step.name];
  return step === 'each' ? ['items'] : ['additionalProperties'];
};

/** Returns the name that a field has in its object; undefined for an entry, every other field, and the whole document. */
export function nameOf(path: FieldPath): string | undefined {
  const last = path.at(-1);
  return typeof last === 'object' ? last.name : undefined;
}
