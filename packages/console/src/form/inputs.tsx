/** The inputs of forms and tables. Each key changes the document, as soon as the text is a value. */
import { isContainer, type JsonValue } from '@holdfast/json';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { formatted } from '../api/state.ts';
import { choicesOf, type Hint } from '../fields/hints.ts';
import type { FieldKind } from '../fields/kinds.ts';
import { jsonOf, numberOf } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import { textsOf } from '../texts/index.ts';
import { cellText, emptied, wordsOf } from './cells.ts';

const [useFormTexts] = textsOf('forms');

export interface InputProps {
  readonly kind: FieldKind;
  readonly value: Value;
  readonly hint: Hint;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** Whether it has only one line. */
  readonly isCell: boolean;
  /** Stands in place of a text that is not there; by default, whether it is unset or null. */
  readonly missing?: string;
  readonly onChange: (value: Value) => void;
  /** Called with what is wrong with a text that is no value; undefined once nothing is. */
  readonly onTyped?: (fault: string | undefined) => void;
  readonly attributes: {
    readonly id?: string;
    readonly 'aria-label'?: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: true;
    readonly 'data-severity'?: 'error' | 'warning';
    readonly 'data-at'?: string;
    readonly 'data-cell'?: string;
  };
}

/** Returns the input for a scalar, or for any JSON. */
export function ScalarInput(props: InputProps) {
  switch (props.kind) {
    case 'boolean':
      return props.value === undefined || props.value === null ? <ChoiceInput {...props} /> : <BooleanInput {...props} />;
    case 'choice':
      return <ChoiceInput {...props} />;
    case 'text':
      return <TextInput {...props} />;
    default:
      return <TypedInput {...props} />;
  }
}

function BooleanInput({ value, isCell, onChange, attributes }: InputProps) {
  return (
    <input
      type="checkbox"
      {...(!isCell && { role: 'switch' })}
      {...attributes}
      checked={value === true}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

function ChoiceInput({ kind, value, hint, isOptional, onChange, attributes }: InputProps) {
  const f = useFormTexts();
  const listed: readonly JsonValue[] = kind === 'boolean' ? [true, false] : (choicesOf(hint) ?? []);
  const isListed = value !== undefined && listed.includes(value);
  const choices = isListed || value === undefined ? listed : [value, ...listed];
  const label = (choice: JsonValue) =>
    choice === true ? f.on : choice === false ? f.off : choice === null ? f.none : cellText(choice);
  return (
    <select
      {...attributes}
      value={value === undefined ? '' : String(choices.indexOf(value))}
      onChange={({ target }) => onChange(target.value === '' ? undefined : choices[Number(target.value)])}
    >
      {(value === undefined || isOptional) && <option value="">{f.notSet}</option>}
      {choices.map((choice, index) => (
        <option key={cellText(choice)} value={index}>
          {label(choice)}
        </option>
      ))}
    </select>
  );
}

/** More characters are in several lines. */
const lineCharactersMax = 60;

function TextInput({ value, isCell, missing, onChange, attributes }: InputProps) {
  const f = useFormTexts();
  const text = typeof value === 'string' ? value : '';
  const hasLines = text.includes('\n');
  const shared = {
    ...attributes,
    value: text,
    'data-missing': missing === undefined ? undefined : true,
    placeholder: missing ?? (value === undefined ? f.notSet : value === null ? f.none : undefined),
    dir: 'auto',
    spellCheck: false,
  };
  if (hasLines || (!isCell && text.length > lineCharactersMax)) {
    return <textarea rows={isCell ? 1 : 3} {...shared} onChange={({ target }) => onChange(target.value)} />;
  }
  return <input type="text" autoComplete="off" {...shared} onChange={({ target }) => onChange(target.value)} />;
}

/** A text that means a number, or any JSON. A text that does not is kept until it is corrected. */
function TypedInput(props: InputProps) {
  const { kind, value, isCell, onChange, onTyped, attributes } = props;
  const f = useFormTexts();
  const isNumeric = kind === 'number';
  const [isFocused, setFocused] = useState(false);
  const words = isCell && !isFocused ? wordsOf(value) : undefined;
  const isNone = words === '' || (value === null && !(kind === 'json' && isFocused));
  const isLong = !isNumeric && !isCell && value !== undefined && isContainer(value);
  const written = isNone ? '' : isLong && value !== undefined ? formatted(value) : (words ?? cellOf(kind, value));
  const [draft, setDraft] = useState<{ readonly text: string; readonly of: Value; readonly isFaulty: boolean }>();
  const isCurrent = draft !== undefined && draft.of === value;
  const isFaulty = isCurrent && draft.isFaulty && draft.text.trim() !== '';
  const fault = isFaulty ? (isNumeric ? f.needsNumber : f.needsJson) : undefined;
  useEffect(() => onTyped?.(fault), [onTyped, fault]);
  const type = (text: string) => {
    const read = isNumeric ? numberOf(text) : jsonOf(text);
    setDraft({ text, of: read ?? value, isFaulty: read === undefined });
    if (read !== undefined) onChange(read);
  };
  const leave = () => {
    setFocused(false);
    if (!isCurrent || (draft.isFaulty && draft.text.trim() !== '')) return;
    const empty = draft.text.trim() === '' ? emptied(props) : undefined;
    if (empty !== undefined) onChange(empty.value);
    setDraft(undefined);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setDraft(undefined);
  const shared = {
    ...attributes,
    value: isCurrent ? draft.text : written,
    placeholder: value === undefined ? f.notSet : isNone ? f.none : undefined,
    spellCheck: false,
    onFocus: () => setFocused(true),
    onBlur: leave,
    onKeyDown,
  };
  if (isLong) return <textarea className="mono" rows={4} {...shared} onChange={({ target }) => type(target.value)} />;
  return (
    <input
      type="text"
      autoComplete="off"
      className={isNumeric ? 'numeric' : isNone || words !== undefined ? undefined : 'mono'}
      {...(isNumeric && { inputMode: 'decimal' })}
      {...shared}
      onChange={({ target }) => type(target.value)}
    />
  );
}

/** In a JSON field, a string has its quotes. */
const cellOf = (kind: FieldKind, value: Value): string =>
  kind === 'json' && typeof value === 'string' ? JSON.stringify(value) : cellText(value);
