/** The name of a field in the rules of a schema. */
import type { JsonValue } from '@holdfast/json';
import { useMemo } from 'react';
import { textsOf } from '../../texts/index.ts';
import { type FieldNames, fieldNames, keysText } from './field-names.ts';
import type { FieldPath } from './field-path.ts';

const [useSchemaTexts] = textsOf('schemas');

export function useFieldNames(schema: JsonValue): FieldNames {
  const s = useSchemaTexts();
  return useMemo(() => fieldNames(s, schema), [s, schema]);
}

/** The name of a field, with its keys as the title. */
export function FieldName({ path, namesOf }: { path: FieldPath; namesOf: FieldNames }) {
  const s = useSchemaTexts();
  return (
    <bdi className="field-name" title={keysText(s, path)}>
      {namesOf(path)}
    </bdi>
  );
}
