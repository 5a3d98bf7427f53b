/** Buttons, fields and other small parts of pages. */
import { Check, Copy, TriangleAlert } from 'lucide-react';
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { Plain } from './plain.tsx';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly icon?: ReactNode;
  readonly isBusy?: boolean;
  readonly size?: 'small';
};

/** A button. While busy, it can be focused but does nothing. */
export function Button({ kind, icon, isBusy = false, size, children, className = '', onClick, ...rest }: ButtonProps) {
  const classes = ['button', kind, size, !children && 'icon-only', className].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      className={classes}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon}
      {children && <span>{children}</span>}
    </button>
  );
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A control with its label, a hint, and the fault of its value. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(fault && { 'aria-invalid': true as const }),
      })}
      {fault ? (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      ) : (
        hint && (
          <p className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** Copies a text to the clipboard, and confirms it. The small form is an icon. */
export function CopyButton({ text, label, size }: { text: string; label?: string; size?: 'small' }) {
  const t = useTexts();
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2_000);
  };
  const name = isCopied ? t.common.copied : (label ?? t.common.copy);
  return (
    <Button
      {...(size && { size, kind: 'quiet' })}
      className="copy"
      title={name}
      icon={
        <>
          {isCopied ? <Check /> : <Copy />}
          {size === 'small' && <span className="hidden-text">{name}</span>}
        </>
      }
      onClick={() => void copy()}
      aria-live="polite"
    >
      {size !== 'small' && name}
    </Button>
  );
}

/** An empty page, with advice. */
export function EmptyState(props: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** The whole page is empty. */
  isPage?: true;
}) {
  const Title = props.isPage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <div className="empty-icon">{props.icon}</div>
      <Title>
        <Plain>{props.title}</Plain>
      </Title>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

/** A message within the page. */
export function Notice(props: {
  kind?: 'bad' | 'good' | 'warn';
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const { kind, title, children, action } = props;
  return (
    <div className={`notice ${kind ?? ''}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {(kind === 'bad' || kind === 'warn') && <TriangleAlert aria-hidden="true" />}
      <div className="notice-text">
        {title && (
          <strong>
            <Plain>{title}</Plain>
          </strong>
        )}
        {children && <div>{children}</div>}
      </div>
      {action && <div className="notice-action">{action}</div>}
    </div>
  );
}

/** Grey bars in place of loading content. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  const t = useTexts();
  return (
    <div className="skeleton" role="status" aria-label={t.common.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
        <i key={index} />
      ))}
    </div>
  );
}

/** A choice among a few, as adjacent buttons. */
export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly label: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="hidden-text">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="hidden-text"
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name of an environment with its colour. */
export function EnvironmentName({ env }: { env: 'development' | 'staging' | 'production' }) {
  const t = useTexts();
  return (
    <span className="environment">
      <i data-env={env} />
      {t.environments[env]}
    </span>
  );
}
