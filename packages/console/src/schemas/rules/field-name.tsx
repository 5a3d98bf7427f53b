/** The name of a field in the rules of a schema. */

import { textsOf } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { plain } from '../../ui/plain-text.ts';
import type { FieldPath } from './field-path.ts';

const [useSchemaTexts] = textsOf('schemas');

/** Returns the name with those of the fields around it. */
export const fieldText = (s: SchemaTexts, path: FieldPath): string =>
  path.map((step) => (typeof step === 'string' ? s.words[step] : plain(step.name))).join(' › ') || s.whole;

export function FieldName({ path }: { path: FieldPath }) {
  const s = useSchemaTexts();
  return <bdi className="field-name">{fieldText(s, path)}</bdi>;
}
