/** A read-only document, in the editor's colours but without its script. */
import type { JsonValue } from '@holdfast/json';
import { type ReactNode, useMemo } from 'react';
import { formatted } from '../api/state.ts';
import { plain } from './plain-text.ts';

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;
/** A longer text is cut, since each token is an element. */
const charactersMax = 20_000;

export function Json({ value }: { value: JsonValue }) {
  const content = useMemo(() => coloured(formatted(value)), [value]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <pre className="json" tabIndex={0}>
      {content}
    </pre>
  );
}

function coloured(text: string): ReactNode[] {
  const shown = text.slice(0, charactersMax);
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: token, 1: colon, index } of shown.matchAll(tokens)) {
    const literal = colon === undefined ? token : token.slice(0, -colon.length);
    parts.push(
      shown.slice(end, index),
      <span key={index} className={`json-${kindOf(literal, colon)}`}>
        {plain(literal)}
      </span>,
    );
    end = index + literal.length;
  }
  parts.push(shown.slice(end), text.length > shown.length ? '…' : '');
  return parts;
}

function kindOf(literal: string, colon: string | undefined): string {
  if (literal.startsWith('"')) return colon === undefined ? 'string' : 'name';
  return /^[tfn]/.test(literal) ? 'word' : 'number';
}
