/** The names of fields in the rules of a schema, as forms show them, and their keys. */
import type { JsonValue } from '@holdfast/json';
import { type Hint, hintsOf } from '../../fields/hints.ts';
import { flagsName } from '../../fields/members.ts';
import { hasDataKeys, memberNames } from '../../fields/names.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { plain } from '../../ui/plain-text.ts';
import { type FieldPath, fieldKey } from './field-path.ts';
import { below } from './read-rules.ts';

/** Returns the name of a field with those of the fields around it, for example `Limits › Max party size`. */
export type FieldNames = (path: FieldPath) => string;

interface Level {
  readonly hint: Hint;
  readonly nameOf: (key: string) => string;
}

/** Returns the names that the fields of documents with a schema have. */
export function fieldNames(s: SchemaTexts, schema: JsonValue): FieldNames {
  const hints = hintsOf(schema);
  const levels = new Map<string, Level>();
  const levelAt = (path: FieldPath): Level => {
    const known = levels.get(fieldKey(path));
    if (known !== undefined) return known;
    const last = path.at(-1);
    const hint = last === undefined ? hints.root : below(hints, levelAt(path.slice(0, -1)).hint, last);
    const isOfFlags = path.length === 1 && typeof last === 'object' && last.name === flagsName;
    const level = { hint, nameOf: memberNames([], hint, hints, isOfFlags || hasDataKeys({}, hint)) };
    levels.set(fieldKey(path), level);
    return level;
  };
  return (path) =>
    path
      .map((step, index) =>
        typeof step === 'string' ? s.words[step] : plain(levelAt(path.slice(0, index)).nameOf(step.name)),
      )
      .join(' › ') || s.whole;
}

/** Returns the keys of a field and of those around it; nothing for the whole document. */
export const keysText = (s: SchemaTexts, path: FieldPath): string =>
  path.map((step) => (typeof step === 'string' ? s.words[step] : plain(step.name))).join(' › ');
