/** Chooses the field of a rule among those that are saved or have rules, or names another one. */
import type { JsonValue } from '@holdfast/json';
import { useState } from 'react';
import { formatNumber, textsOf, useTexts } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { Button } from '../../ui/controls.tsx';
import { SearchField } from '../../ui/filters.tsx';
import { FieldName, useFieldNames } from './field-name.tsx';
import { type FieldNames, keysText } from './field-names.ts';
import { type FieldPath, fieldKey } from './field-path.ts';
import { commonKind, type KnownField } from './fields.ts';
import { shownValues } from './shown-values.ts';

const [useSchemaTexts] = textsOf('schemas');

interface FieldChoiceProps {
  readonly fields: readonly KnownField[];
  /** Names the fields. */
  readonly schema: JsonValue;
  readonly onChoose: (path: FieldPath) => void;
  readonly onClose: () => void;
}

/** Further ones are found by their names. */
const shownMax = 60;

export function FieldChoice({ fields, schema, onChoose, onClose }: FieldChoiceProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const namesOf = useFieldNames(schema);
  const [query, setQuery] = useState('');
  // The whole document, which is the first, is least likely meant.
  const found = [...fields.slice(1), ...fields.slice(0, 1)].filter(({ path }) =>
    fits(`${namesOf(path)} ${keysText(s, path)}`, query),
  );
  const named = newField(s, fields, namesOf, query, found.length > 0);
  const more = found.length - shownMax;
  return (
    <div className="field-choice">
      <p className="label">{s.form.field}</p>
      <SearchField
        label={s.form.find}
        value={query}
        onChange={setQuery}
        onSubmit={() => {
          const first = found[0]?.path ?? named;
          if (first !== undefined) onChoose(first);
        }}
      />
      {found.length === 0 && <p className="hint">{s.form.noField}</p>}
      <ul className="field-list">
        {found.slice(0, shownMax).map((field) => (
          <li key={JSON.stringify(field.path)}>
            <button type="button" onClick={() => onChoose(field.path)}>
              <FieldName path={field.path} namesOf={namesOf} />
              <small>{shownValues(field) || kindText(s, field)}</small>
            </button>
          </li>
        ))}
        {named !== undefined && (
          <li>
            <button type="button" onClick={() => onChoose(named)}>
              <b>{s.form.newField(keysText(s, named))}</b>
            </button>
          </li>
        )}
      </ul>
      {more > 0 && <p className="hint">{s.form.moreFields(formatNumber(more))}</p>}
      <div className="form-actions">
        <Button onClick={onClose}>{t.common.cancel}</Button>
      </div>
    </div>
  );
}

/** The kind of values that cannot be shown in short. */
function kindText(s: SchemaTexts, field: KnownField): string {
  const kind = commonKind(field);
  return kind === 'any' ? '' : s.words.types[kind];
}

/** Returns a field that does not exist yet, unless a query is words that fields were found with. */
function newField(
  s: SchemaTexts,
  fields: readonly KnownField[],
  namesOf: FieldNames,
  query: string,
  isFound: boolean,
): FieldPath | undefined {
  const text = query.trim();
  const path = pathOf(s, fields, namesOf, text);
  const isKnown = fields.some((field) => fieldKey(field.path) === fieldKey(path));
  const isWords = isFound && /\s/.test(text) && !/[›>]/.test(text);
  return isKnown || isWords || path.length === 0 ? undefined : path;
}

/** Whether a name has every word of a query. */
const fits = (text: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/[\s›>]+/)
    .every((word) => text.toLowerCase().includes(word));

/** Reads names with `›` or `>` between them: those of known fields as the list shows them or their keys, others as they are. */
function pathOf(s: SchemaTexts, fields: readonly KnownField[], namesOf: FieldNames, text: string): FieldPath {
  const isNamed = (path: FieldPath, within: FieldPath, name: string) =>
    [namesOf, (one: FieldPath) => keysText(s, one)].some(
      (textOf) =>
        textOf(path).toLowerCase() === [...(within.length > 0 ? [textOf(within)] : []), name].join(' › ').toLowerCase(),
    );
  let path: FieldPath = [];
  for (const part of text.split(/[›>]/)) {
    const name = part.trim();
    if (name === '') continue;
    const inIt = fields.filter((field) => field.path.length === path.length + 1);
    const known = inIt.find((field) => isNamed(field.path, path, name))?.path;
    path = known ?? [...path, name === s.words.each ? 'each' : { name }];
  }
  return path;
}
