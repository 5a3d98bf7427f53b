/** The bar above a list: search, sort order, and number of items. */
import { ListFilter, Search, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatNumber, useTexts } from '../texts/index.ts';
import { wideWindow } from './wide-window.ts';
import './filters.css';

export const Filters = ({ children }: { children: ReactNode }) => <search className="filters">{children}</search>;

const useHasFilterRoom = wideWindow(641);

interface FoldedFiltersProps {
  /** How many are set. */
  readonly count: number;
  /** A search, which is always shown. */
  readonly search?: ReactNode;
  /** How much of the list is shown. */
  readonly shown?: ReactNode;
  readonly children: ReactNode;
}

/** Many filters: a phone shows them when asked, so that the list begins at once. */
export function FoldedFilters({ count, search, shown, children }: FoldedFiltersProps) {
  const t = useTexts();
  const hasRoom = useHasFilterRoom();
  const [isOpen, setOpen] = useState(false);
  return (
    <Filters>
      {search}
      {!hasRoom && (
        <button type="button" className="button filters-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden="true" />
          <span>{t.history.filters}</span>
          {count > 0 && <span className="badge accent">{formatNumber(count)}</span>}
        </button>
      )}
      {(hasRoom || isOpen) && children}
      {shown}
    </Filters>
  );
}

interface SearchFieldProps {
  readonly label: string;
  /** The placeholder; the label by default. */
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Focuses the field. */
  readonly onSubmit?: () => void;
  readonly maxLength?: number;
  /** Has the focus from the beginning, where a keyboard is likely. */
  readonly isFirst?: boolean;
}

/** The search field of a list. */
export function SearchField({ label, hint = label, value, onChange, onSubmit, maxLength, isFirst }: SearchFieldProps) {
  const t = useTexts();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst && matchMedia('(hover: hover)').matches) input.current?.focus({ preventScroll: true });
  }, [isFirst]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <form className="search-field" onSubmit={submit}>
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={maxLength}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {value !== '' && (
        <button
          type="button"
          className="search-clear"
          aria-label={t.common.clear}
          title={t.common.clear}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </form>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Left out if the first choice explains itself. */
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

/** How much of the list is shown. Changes are announced. */
export const Shown = ({ children }: { children: ReactNode }) => (
  <p className="filters-shown" role="status">
    {children}
  </p>
);

/** The button for the next page of a list, below it. */
export const More = ({ children }: { children: ReactNode }) => <div className="more">{children}</div>;
