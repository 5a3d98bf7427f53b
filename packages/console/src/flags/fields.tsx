/** Fields of a row. What somebody types stays as typed, while its value is applied. */
import { isContainer, type JsonValue, printJson } from '@holdfast/json';
import { Trash2 } from 'lucide-react';
import { type InputHTMLAttributes, useId, useState } from 'react';
import { formatted } from '../api/state.ts';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Choice } from '../ui/filters.tsx';
import { asJson, readScalar, scalarText } from './scalars.ts';

const [useFlagTexts] = textsOf('flags');

/** Keeps the typed text until the value becomes another one elsewhere. `same`: the text of the value that `typed` stands for. */
function useTyped(text: string, same: (typed: string) => string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    if (same(typed) !== text) setTyped(text);
  }
  return [typed, setTyped];
}

type TypedFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  readonly label: string;
  /** The text of the value. */
  readonly text: string;
  /** Returns the text of the value that a typed text stands for. */
  readonly same?: (typed: string) => string;
  readonly onText: (typed: string) => void;
};

/** A line of text with a label for screen readers. */
export function TypedField({ label, text, same = (typed) => typed, onText, ...rest }: TypedFieldProps) {
  const [typed, setTyped] = useTyped(text, same);
  return (
    <input
      aria-label={label}
      title={label}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        onText(target.value);
      }}
      {...rest}
    />
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly value: JsonValue;
  readonly onValue: (value: JsonValue) => void;
}

/** Any JSON. Text that is not JSON is not applied. */
export function JsonField({ label, value, onValue }: JsonFieldProps) {
  const f = useFlagTexts();
  const id = useId();
  const [typed, setTyped] = useTyped(jsonText(value), (one) => {
    const read = asJson(one);
    return read === undefined ? one : jsonText(read);
  });
  const isFaulty = asJson(typed) === undefined;
  return (
    <div className="flag-json">
      <textarea
        aria-label={label}
        aria-invalid={isFaulty || undefined}
        aria-describedby={isFaulty ? id : undefined}
        spellCheck={false}
        rows={Math.min(14, typed.split('\n').length)}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          const read = asJson(target.value);
          if (read !== undefined) onValue(read);
        }}
      />
      {isFaulty && (
        <p className="fault" id={id}>
          {f.jsonFault}
        </p>
      )}
    </div>
  );
}

/** In one line if it is short. */
function jsonText(value: JsonValue): string {
  const text = printJson(value);
  return text.length > lineCharactersMax ? formatted(value) : text;
}

const lineCharactersMax = 80;

/** Any value: a choice for true and false, one line for a text, a number or the like, and JSON for the rest. */
export function ValueField({ label, value, onValue }: JsonFieldProps) {
  const f = useFlagTexts();
  if (typeof value === 'boolean') {
    return (
      <Choice
        label={label}
        value={String(value)}
        options={[
          { value: 'true', label: f.yes },
          { value: 'false', label: f.no },
        ]}
        onChange={(next) => onValue(next === 'true')}
      />
    );
  }
  if (isContainer(value)) return <JsonField label={label} value={value} onValue={onValue} />;
  return (
    <TypedField
      label={label}
      text={scalarText(value)}
      same={(typed) => scalarText(readScalar(typed))}
      onText={(typed) => onValue(readJson(typed))}
      className="mono"
    />
  );
}

/** An object or a list where somebody types one, otherwise a value in a line. */
function readJson(typed: string): JsonValue {
  const read = /^\s*[[{]/.test(typed) ? asJson(typed) : undefined;
  return read ?? readScalar(typed);
}

/** Removes a row. */
export const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button kind="quiet" size="small" className="bin" icon={<Trash2 />} aria-label={label} title={label} onClick={onClick} />
);
