/** The name of a field in the rules of a schema. */
import { useSchemaTexts } from '../texts/schemas.ts';
import { plain } from '../ui/plain-text.ts';
import type { FieldRule } from './rules-in-words.ts';

/** Returns a text that no other field has. */
export const fieldKey = ({ path }: FieldRule): string => JSON.stringify(path);

export function FieldName({ rule: { path } }: { rule: FieldRule }) {
  const s = useSchemaTexts();
  const names = path.map((step) => (typeof step === 'string' ? s.words[step] : plain(step.name)));
  return <bdi className="field-name">{names.join(' › ') || s.whole}</bdi>;
}
