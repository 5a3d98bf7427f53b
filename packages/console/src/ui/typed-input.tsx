/** A line of text that stands for a value, in the words of the language. */
import { type InputHTMLAttributes, useState } from 'react';

export interface TypedInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  /** Empty for none. */
  readonly value: string;
  readonly inWords: (value: string) => string;
  /** Returns undefined for a text without a value. */
  readonly read: (text: string) => string | undefined;
  /** Called with each value that is typed, empty for none, and undefined for a text without one. */
  readonly onChange: (value: string | undefined) => void;
}

/** Shows the typed text until its value is another one, or it is left. */
export function TypedInput({ value, inWords, read, onChange, onBlur, ...rest }: TypedInputProps) {
  const [typed, setTyped] = useState<string>();
  const readAll = (text: string) => (text.trim() === '' ? '' : read(text));
  const isKept = typed !== undefined && (readAll(typed) ?? '') === value;
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={isKept ? typed : inWords(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readAll(target.value));
      }}
      onBlur={(event) => {
        // Unreadable text stays, so that it can be corrected.
        if (typed !== undefined && readAll(typed) !== undefined) setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}
