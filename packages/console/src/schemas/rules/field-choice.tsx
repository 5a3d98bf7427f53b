/** Chooses the field of a rule among those that are saved or have rules, or names another one. */
import { useState } from 'react';
import { formatNumber, textsOf, useTexts } from '../../texts/index.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { Button } from '../../ui/controls.tsx';
import { SearchField } from '../../ui/filters.tsx';
import { FieldName, fieldText } from './field-name.tsx';
import type { FieldPath, FieldStep } from './field-path.ts';
import { commonKind, type KnownField } from './fields.ts';
import { shownValues } from './shown-values.ts';

const [useSchemaTexts] = textsOf('schemas');

interface FieldChoiceProps {
  readonly fields: readonly KnownField[];
  readonly onChoose: (path: FieldPath) => void;
  readonly onClose: () => void;
}

/** Further ones are found by their names. */
const shownMax = 60;

export function FieldChoice({ fields, onChoose, onClose }: FieldChoiceProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const [query, setQuery] = useState('');
  // The whole document, which is the first, is least likely meant.
  const found = [...fields.slice(1), ...fields.slice(0, 1)].filter(({ path }) => fits(fieldText(s, path), query));
  const named = newField(s, fields, query, found.length > 0);
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
              <FieldName path={field.path} />
              <small>{shownValues(field) || kindText(s, field)}</small>
            </button>
          </li>
        ))}
        {named !== undefined && (
          <li>
            <button type="button" onClick={() => onChoose(named)}>
              <b>{s.form.newField(fieldText(s, named))}</b>
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
function newField(s: SchemaTexts, fields: readonly KnownField[], query: string, isFound: boolean): FieldPath | undefined {
  const text = query.trim();
  const isKnown = fields.some(({ path }) => fieldText(s, path).toLowerCase() === text.toLowerCase());
  const isWords = isFound && /\s/.test(text) && !/[›>]/.test(text);
  const path = pathOf(s, text);
  return isKnown || isWords || path.length === 0 ? undefined : path;
}

/** Whether a name has every word of a query. */
const fits = (text: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/[\s›>]+/)
    .every((word) => text.toLowerCase().includes(word));

/** Reads a name as the list shows it, with `›` or `>` between the names of the fields. */
function pathOf(s: SchemaTexts, text: string): FieldPath {
  const names = text.split(/[›>]/).map((name) => name.trim());
  return names.filter((name) => name !== '').map((name): FieldStep => (name === s.words.each ? 'each' : { name }));
}
