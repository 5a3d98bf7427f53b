/** Why a save is changed. */
import { commentCharactersMax } from '@holdfast/contract';
import { useId } from 'react';
import { textsOf } from '../../texts/index.ts';
import { TextField } from '../../ui/form.tsx';

const [usePlayerTexts] = textsOf('players');

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  /** Reasons to choose from. */
  readonly usual?: readonly string[];
}

export function ReasonField({ value, onChange, usual = [] }: ReasonFieldProps) {
  const p = usePlayerTexts();
  const id = useId();
  return (
    <>
      <TextField
        label={p.reasonRequired}
        hint={p.commentHint}
        required
        value={value}
        onChange={onChange}
        maxLength={commentCharactersMax}
        list={usual.length > 0 ? id : undefined}
      />
      {usual.length > 0 && (
        <datalist id={id}>
          {usual.map((reason) => (
            <option key={reason} value={reason} />
          ))}
        </datalist>
      )}
    </>
  );
}
