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
  /** Takes a value only at Enter or when the field is left, and forgets a text without one then. */
  readonly isFilter?: boolean | undefined;
}

/** Shows the typed text until its value is another one, or it is left. */
export function TypedInput({
  value,
  inWords,
  read,
  onChange,
  isFilter = false,
  onBlur,
  onKeyDown,
  ...rest
}: TypedInputProps) {
  const [typed, setTyped] = useState<string>();
  const readAll = (text: string) => (text.trim() === '' ? '' : read(text));
  const isKept = typed !== undefined && (isFilter || (readAll(typed) ?? '') === value);
  /** Changes the value if another one is typed. */
  const take = () => {
    const next = typed === undefined ? undefined : readAll(typed);
    if (next !== undefined && next !== value) onChange(next);
  };
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={isKept ? typed : inWords(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        if (!isFilter) onChange(readAll(target.value));
      }}
      onKeyDown={(event) => {
        if (isFilter && event.key === 'Enter') take();
        onKeyDown?.(event);
      }}
      onBlur={(event) => {
        if (isFilter) take();
        // Outside a filter, unreadable text stays, so that it can be corrected.
        if (isFilter || (typed !== undefined && readAll(typed) !== undefined)) setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}
