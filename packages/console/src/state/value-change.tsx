/** One change of a value in a line: path, old and new value. */
import { isContainer, printJson } from '@holdfast/json';
import { useTexts } from '../texts/index.ts';
import { useReviewTexts } from '../texts/review.ts';
import { plain } from '../ui/plain-text.ts';
import type { Value, ValueChange } from './changes.ts';

const shownCharactersMax = 60;

/** The path of a change for people. Elements with an id are named by it. `within`: leading segments shown elsewhere. */
export function ChangePath({ change, within = 0 }: { change: ValueChange; within?: number }) {
  const r = useReviewTexts();
  const { path } = change;
  if (isWholeFlag(change)) {
    const name = plain(path[1] ?? '');
    return <bdi className="change-path">{change.kind === 'add' ? r.flagAdded(name) : r.flagRemoved(name)}</bdi>;
  }
  const text = pathText(path.length > within ? path.slice(within) : path);
  return (
    <bdi className="change-path" title={text}>
      {text === '' ? '{ }' : text}
    </bdi>
  );
}

/** Whether a feature flag as a whole is new or gone. */
const isWholeFlag = ({ path, kind }: ValueChange): boolean =>
  path.length === 2 && path[0] === 'flags' && (kind === 'add' || kind === 'remove');

/** A path in one line. */
export const pathText = (path: readonly string[]): string =>
  path.map((segment) => plain(segment.replace(/^(?:id|key|name|slug) /, ''))).join(' › ');

export function ChangeValues({ change }: { change: ValueChange }) {
  const t = useTexts();
  const { kind, from, to } = change;
  if (isWholeFlag(change)) return null;
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
