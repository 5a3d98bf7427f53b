/** Names and values, one pair per line. */
import type { ReactNode } from 'react';
import { CopyButton } from './controls.tsx';
import { Plain } from './plain.tsx';

export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>;

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A text that others chose. */
export const TextFact = ({ name, text }: { name: string; text: string }) => (
  <Fact name={name}>
    <Plain>{text}</Plain>
  </Fact>
);

/** An identifier, which can be copied. */
export function IdFact({ name, id, hint }: { name: string; id: string; hint?: string }) {
  return (
    <Fact name={name}>
      <code>
        <Plain>{id}</Plain>
      </code>
      <CopyButton text={id} size="small" />
      {hint && <small className="hint">{hint}</small>}
    </Fact>
  );
}
