/** Forms: text fields, and the buttons at the end. */
import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useId } from 'react';
import { useTexts } from '../texts/index.ts';
import type { Action } from './action.ts';
import { Button, Field, type FieldProps } from './controls.tsx';
import { useIsHigh } from './wide-window.ts';

interface FormProps {
  readonly action: Action;
  readonly id?: string;
  readonly className?: string;
  /** Whether it stays in view as a whole at the end of a dialog, if the window is high. Otherwise its buttons do. */
  readonly isShort?: boolean;
  readonly children: ReactNode;
}

/** Runs the action when submitted. Enter leads to what is still missing. */
export function Form({ action, id, className, isShort = false, children }: FormProps) {
  const isHigh = useIsHigh();
  return (
    <form
      id={id}
      className={className}
      data-footer={isShort && isHigh ? 'form' : 'actions'}
      onKeyDown={leadToMissing}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a dialog's form may be within another one's components
        action.run();
      }}
    >
      {children}
    </form>
  );
}

function leadToMissing(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
  const form = event.currentTarget;
  if (form.querySelector('[type="submit"]:disabled') !== null) form.querySelector<HTMLElement>('.field :invalid')?.focus();
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

/** A line of text with its label. */
export function TextField({ label, hint, fault, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(attributes) => (
        <input {...attributes} autoComplete="off" onChange={(event) => onChange(event.target.value)} {...rest} />
      )}
    </Field>
  );
}

export interface FormEndProps {
  readonly action: Action;
  /** The label of the submit button. */
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly isReady?: boolean;
  /** Why it cannot be submitted, if that is not obvious. */
  readonly missing?: string | undefined;
  readonly onCancel: () => void;
  readonly cancelLabel?: string;
}

/** The buttons to cancel and submit. */
export function FormEnd(props: FormEndProps) {
  const { action, label, kind = 'primary', isReady = true, missing, onCancel, cancelLabel } = props;
  const t = useTexts();
  const id = useId();
  return (
    <div className="form-actions">
      {missing !== undefined && (
        <p className="hint" id={id}>
          {missing}
        </p>
      )}
      <Button onClick={onCancel}>{cancelLabel ?? t.common.cancel}</Button>
      <Button
        kind={kind}
        type="submit"
        isBusy={action.isBusy}
        disabled={!isReady}
        aria-describedby={missing === undefined ? undefined : id}
      >
        {label}
      </Button>
    </div>
  );
}
