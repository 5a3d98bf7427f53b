/** The bar above a list: what is looked for, how it is sorted, and how much there is. */
import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useId } from 'react';

export const Filters = ({ children }: { children: ReactNode }) => <search className="filters">{children}</search>;

interface SearchFieldProps {
  readonly label: string;
  /** What can be typed; the label, unless there is more to say. */
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Goes to what is typed. */
  readonly onSubmit?: () => void;
  readonly maxLength?: number;
}

/** What a list is searched for. */
export function SearchField({ label, hint = label, value, onChange, onSubmit, maxLength }: SearchFieldProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <form className="search-field" onSubmit={submit}>
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={maxLength}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </form>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Left out where the first choice says what is chosen. */
  readonly isLabelShown?: boolean;
}

/** One of a list. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  isLabelShown = false,
}: ChoiceProps<Value>) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <div className="filter-choice">
      <label htmlFor={id} className={isLabelShown ? undefined : 'hidden-text'}>
        {label}
      </label>
      <select id={id} value={value} onChange={({ target }) => choose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** How much of the list there is. It is read out when it changes. */
export const Shown = ({ children }: { children: ReactNode }) => (
  <p className="filters-shown" role="status">
    {children}
  </p>
);

/** The way to the next piece of a list stands under it. */
export const More = ({ children }: { children: ReactNode }) => <div className="more">{children}</div>;
