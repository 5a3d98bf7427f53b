/** The rules that a document broke, as a list of rules shows them. */

import { parametersIn, shownName, violationMessages } from '@holdfast/contract/messages';
import { type JsonValue, pathOfPointer } from '@holdfast/json';
import { type Hint, hintsOf, namesOf, requiredOf } from '../../fields/hints.ts';
import type { FieldPath, FieldStep } from './field-path.ts';
import { below, hasMember } from './read-rules.ts';

/** A violation, as the service reports it. */
interface Broken {
  /** JSON Pointer into the document. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/**
 * Returns the field at a place in documents as the service counts them, in which an asterisk stands for each entry of a list, and for each field
 * without a rule of its own.
 */
export const countedField = (schema: JsonValue, path: string): FieldPath =>
  fieldOf(schema, { path, keyword: '', message: '' });

/** Returns the field with the rule that was broken: of a value that is missing, the missing field itself. */
export function fieldOf(schema: JsonValue, { path, keyword, message }: Broken): FieldPath {
  const hints = hintsOf(schema);
  let hint = hints.root;
  const field: FieldStep[] = [];
  for (const segment of pathOfPointer(path)) {
    const step = stepOf(hint, segment);
    field.push(step);
    hint = below(hints, hint, step);
  }
  const shown = keyword === 'required' ? parametersIn(violationMessages.member, message)?.member : undefined;
  const missing = requiredOf(hint).find((name) => shownName(name) === shown);
  return missing === undefined ? field : [...field, { name: missing }];
}

function stepOf(hint: Hint, segment: string): FieldStep {
  if (hasMember(hint, segment)) return { name: segment };
  if (segment === '*') return hint.items !== undefined ? 'each' : namesOf(hint).length === 0 ? 'member' : 'other';
  if (hint.items !== undefined && /^\d+$/.test(segment)) return 'each';
  return hint.additionalProperties === undefined || hint.additionalProperties === false ? { name: segment } : 'other';
}
