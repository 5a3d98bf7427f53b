/** An input with what is wrong with its value: below a field; in a table below the cell, while that has the focus or the pointer. */
import { useId, useState } from 'react';
import type { Finding } from '../json-text/document-text.ts';
import { textsOf } from '../texts/index.ts';
import { type InputProps, ScalarInput } from './inputs.tsx';
import { invisibleIn } from './invisible.ts';

const [useFormTexts] = textsOf('forms');

type Warning = Pick<Finding, 'message' | 'severity'>;

interface WarnedInputProps extends Omit<InputProps, 'onTyped'> {
  /** What the rules say about the value. */
  readonly finding?: Warning | undefined;
}

/** What was typed comes first, then what the rules say, then what cannot be seen. */
export function WarnedInput({ finding, ...props }: WarnedInputProps) {
  const f = useFormTexts();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const unseen = typeof props.value === 'string' ? invisibleIn(props.value) : undefined;
  const warning: Warning | undefined =
    typed !== undefined
      ? { message: typed, severity: 'error' }
      : (finding ?? (unseen === undefined ? undefined : { message: f.invisible(unseen), severity: 'warning' }));
  const { attributes } = props;
  const describedBy = [warning && id, attributes['aria-describedby']].filter(Boolean).join(' ');
  return (
    <>
      <ScalarInput
        {...props}
        onTyped={setTyped}
        attributes={{
          ...attributes,
          ...(describedBy && { 'aria-describedby': describedBy }),
          ...(warning && { 'aria-invalid': true, 'data-severity': warning.severity }),
        }}
      />
      {warning && (
        <p className="fault" id={id} data-severity={warning.severity}>
          {warning.message}
        </p>
      )}
    </>
  );
}
