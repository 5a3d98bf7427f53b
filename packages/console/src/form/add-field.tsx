/** Adds a member to an object. */
import type { JsonValue } from '@holdfast/json';
import { Plus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';

const [useFormTexts] = textsOf('forms');

const firstValues = {
  text: '',
  number: 0,
  boolean: false,
  list: [''],
  group: {},
  table: [{ id: '' }],
  json: null,
} as const satisfies Record<string, JsonValue>;
type NewKind = keyof typeof firstValues;

/** The field appears when somebody asks for it. */
const focus = (input: HTMLInputElement | null): void => input?.focus();

interface AddFieldProps {
  /** What the button says. */
  readonly label: string;
  readonly isTaken: (name: string) => boolean;
  readonly onAdd: (name: string, value: JsonValue) => void;
}

export function AddField({ label, isTaken, onAdd }: AddFieldProps) {
  const f = useFormTexts();
  const { common } = useTexts();
  const id = useId();
  const [name, setName] = useState<string>();
  const [kind, setKind] = useState<NewKind>('text');
  if (name === undefined) {
    return (
      <Button kind="quiet" size="small" className="form-add" icon={<Plus />} onClick={() => setName('')}>
        {label}
      </Button>
    );
  }
  const isFaulty = isTaken(name);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (isFaulty) return;
    onAdd(name, firstValues[kind]);
    setName(undefined);
  };
  return (
    <form className="form-new" onSubmit={add}>
      <div className="field">
        <label htmlFor={id}>{f.fieldName}</label>
        <input
          id={id}
          ref={focus}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ target }) => setName(target.value)}
          {...(isFaulty && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
        />
        {isFaulty && (
          <p className="fault" id={`${id}-fault`}>
            {f.nameTaken}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-kind`}>{f.fieldKind}</label>
        <select id={`${id}-kind`} value={kind} onChange={({ target }) => setKind(target.value as NewKind)}>
          {Object.keys(firstValues).map((one) => (
            <option key={one} value={one}>
              {f.kinds[one as NewKind]}
            </option>
          ))}
        </select>
      </div>
      <div className="form-actions">
        <Button onClick={() => setName(undefined)}>{common.cancel}</Button>
        <Button type="submit" kind="primary" disabled={isFaulty}>
          {f.add}
        </Button>
      </div>
    </form>
  );
}
