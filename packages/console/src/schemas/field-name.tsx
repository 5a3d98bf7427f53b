/** The name of a field in the rules of a schema. */
import { type SchemaTexts, useSchemaTexts } from '../texts/schemas.ts';
import { plain } from '../ui/plain-text.ts';
import type { FieldPath } from './rules/field-path.ts';

/** Returns the name with those of the fields around it. */
export const fieldText = (s: SchemaTexts, path: FieldPath): string =>
  path.map((step) => (typeof step === 'string' ? s.words[step] : plain(step.name))).join(' › ') || s.whole;

export function FieldName({ path }: { path: FieldPath }) {
  const s = useSchemaTexts();
  return <bdi className="field-name">{fieldText(s, path)}</bdi>;
}
