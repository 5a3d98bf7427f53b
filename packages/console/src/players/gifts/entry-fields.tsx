/** The fields of an entry that is added to a list of a save. */
import { isContainer, isJsonObject, type JsonValue } from '@holdfast/json';
import { useId } from 'react';
import type { Hint, Hints } from '../../fields/hints.ts';
import { scalarKind } from '../../fields/kinds.ts';
import { memberNames } from '../../fields/names.ts';
import { withValue } from '../../fields/values.ts';
import { WarnedInput } from '../../form/warned-input.tsx';
import { textsOf } from '../../texts/index.ts';
import { plain } from '../../ui/plain-text.ts';
import type { Target } from './gifts.ts';

const [usePlayerTexts] = textsOf('players');

interface EntryFieldsProps {
  readonly target: Target;
  readonly hints: Hints;
  readonly entry: JsonValue;
  readonly onChange: (entry: JsonValue) => void;
}

/** One field for a scalar; for an object, one for each scalar in it. Lists in it stay as they are. */
export function EntryFields({ target, hints, entry, onChange }: EntryFieldsProps) {
  const p = usePlayerTexts();
  const hint = hints.below(target.hint, '0', true);
  if (!isJsonObject(entry)) {
    return <EntryField label={p.giveEntry} value={entry} hint={hint} onChange={onChange} />;
  }
  const nameOf = memberNames([entry], hint, hints);
  return Object.entries(entry)
    .filter(([, value]) => !isContainer(value))
    .map(([name, value]) => (
      <EntryField
        key={name}
        label={plain(nameOf(name))}
        value={value}
        hint={hints.below(hint, name, false)}
        onChange={(next) => onChange(withValue(entry, [name], next) ?? entry)}
      />
    ));
}

interface EntryFieldProps {
  readonly label: string;
  readonly value: JsonValue;
  readonly hint: Hint;
  readonly onChange: (value: JsonValue) => void;
}

function EntryField({ label, value, hint, onChange }: EntryFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <WarnedInput
        kind={scalarKind(value, hint)}
        value={value}
        hint={hint}
        isOptional={false}
        isNullable={value === null}
        isCell
        onChange={(next) => next !== undefined && onChange(next)}
        attributes={{ id }}
      />
    </div>
  );
}
