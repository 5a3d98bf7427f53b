/** Forms: text fields, and the buttons at the end. */
import type { InputHTMLAttributes, ReactNode } from 'react';
import { useTexts } from '../texts/index.ts';
import type { Action } from './action.ts';
import { Button, Field, type FieldProps } from './controls.tsx';

/** Runs the action when submitted. */
export function Form(props: { action: Action; id?: string; className?: string; children: ReactNode }) {
  const { action, id, className, children } = props;
  return (
    <form
      id={id}
      className={className}
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
  readonly onCancel: () => void;
  readonly cancelLabel?: string;
}

/** The buttons to cancel and submit. */
export function FormEnd({ action, label, kind = 'primary', isReady = true, onCancel, cancelLabel }: FormEndProps) {
  const t = useTexts();
  return (
    <div className="form-actions">
      <Button onClick={onCancel}>{cancelLabel ?? t.common.cancel}</Button>
      <Button kind={kind} type="submit" isBusy={action.isBusy} disabled={!isReady}>
        {label}
      </Button>
    </div>
  );
}
