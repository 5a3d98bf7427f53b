/** One change of a value in a line: path, old and new value. */
import { isContainer, printJson } from '@holdfast/json';
import { useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import type { Value, ValueChange } from './changes.ts';

const shownCharactersMax = 60;

/** The path of a change for people. Elements with an id are named by it. `within`: leading segments shown elsewhere. */
export function ChangePath({ change: { path }, within = 0 }: { change: ValueChange; within?: number }) {
  const text = pathText(path.length > within ? path.slice(within) : path);
  return (
    <bdi className="change-path" title={text}>
      {text === '' ? '{ }' : text}
    </bdi>
  );
}

/** A path in one line. */
export const pathText = (path: readonly string[]): string =>
  path.map((segment) => plain(segment.replace(/^(?:id|key|name|slug) /, ''))).join(' › ');

export function ChangeValues({ change: { kind, from, to } }: { change: ValueChange }) {
  const t = useTexts();
  return (
    <span className="change-values">
      {kind === 'move' && <span className="badge">{t.state.moved}</span>}
      {kind !== 'move' && kind !== 'add' && <ShortValue value={from} kind="old" />}
      {kind === 'replace' && <span aria-hidden="true">→</span>}
      {kind === 'replace' && <span className="hidden-text">{t.state.becomes}</span>}
      {kind !== 'move' && kind !== 'remove' && <ShortValue value={to} kind="new" />}
    </span>
  );
}

function ShortValue({ value, kind }: { value: Value; kind: 'old' | 'new' }) {
  const text = shortText(value);
  return kind === 'old' ? <del>{text}</del> : <ins>{text}</ins>;
}

/** A scalar, shortened if long; for a container, its size. */
function shortText(value: Value): string {
  if (value === undefined) return '';
  if (isContainer(value)) {
    const count = Object.keys(value).length;
    return Array.isArray(value) ? `[${count}]` : `{${count}}`;
  }
  const text = plain(printJson(value));
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}
