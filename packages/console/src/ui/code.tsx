/** Read-only code in the editor's colours, but without its script. */
import type { JsonValue } from '@holdfast/json';
import { type ReactNode, useMemo } from 'react';
import { formatted } from '../api/state.ts';
import { plain } from './plain-text.ts';

const kinds = {
  comment: String.raw`\/\/.*|<!--[^]*?-->`,
  /** Of a member of an object in JSON. */
  member: String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)`,
  string: String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`,
  word: String.raw`\b(?:import|from|const|await|async|new|using|public|class|yield|return|var|void|true|false|null)\b`,
  number: String.raw`-?\b\d[\d.eE+-]*`,
  /** A tag, a function, a program or its option. */
  name: String.raw`<[!/]?[a-z]+|\b[A-Za-z_]\w*(?=\()|^(?:curl|node)\b|(?<=\s)-[A-Za-z]\b`,
};
const tokens = new RegExp(
  Object.entries(kinds)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join('|'),
  'gm',
);
/** A longer text is cut, since each token is an element. */
const charactersMax = 20_000;

/** JSON, HTML, JavaScript, C# or a command, which wraps. */
export function Code({ text, className = '' }: { text: string; className?: string }) {
  const content = useMemo(() => coloured(text), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <pre className={`code ${className}`} tabIndex={0}>
      {content}
    </pre>
  );
}

export const Json = ({ value }: { value: JsonValue }) => <Code text={useMemo(() => formatted(value), [value])} />;

function coloured(text: string): ReactNode[] {
  const shown = text.slice(0, charactersMax);
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of shown.matchAll(tokens)) {
    const kind = Object.keys(kinds).find((one) => groups[one] !== undefined);
    parts.push(
      shown.slice(end, index),
      <span key={index} className={`code-${kind === 'member' ? 'name' : kind}`}>
        {plain(token)}
      </span>,
    );
    end = index + token.length;
  }
  parts.push(shown.slice(end), text.length > shown.length ? '…' : '');
  return parts;
}
