/** One change of a value in a line: path, old and new value. */
import { isContainer, printJson } from '@holdfast/json';
import { useTexts } from '../texts/index.ts';
import { type ReviewTexts, useReviewTexts } from '../texts/review.ts';
import { plain } from '../ui/plain-text.ts';
import type { Value, ValueChange } from './changes.ts';
import type { PathNames } from './document-hints.tsx';
import { sameEnds, shortened, shortenedPair } from './short-value.ts';
import './change-list.css';

interface ChangePathProps {
  readonly change: ValueChange;
  /** Names the segments of its path. */
  readonly namesOf: PathNames;
  /** How many leading segments are shown elsewhere. */
  readonly within?: number;
}

/** The path of a change for people, with the keys as its title. */
export function ChangePath({ change, namesOf, within = 0 }: ChangePathProps) {
  const r = useReviewTexts();
  const { path } = change;
  if (isWholeFlag(change)) {
    const name = plain(path[1] ?? '');
    return <bdi className="change-path">{change.kind === 'add' ? r.flagAdded(name) : r.flagRemoved(name)}</bdi>;
  }
  const text = pathText(r, path, namesOf, path.length > within ? within : 0);
  return (
    <bdi className="change-path" title={keysText(path)}>
      {text === '' ? '{ }' : text}
    </bdi>
  );
}

/** Whether a feature flag as a whole is new or gone. */
const isWholeFlag = ({ path, kind }: ValueChange): boolean =>
  path.length === 2 && path[0] === 'flags' && (kind === 'add' || kind === 'remove');

/** Returns the names of a path in one line, without those of `within` leading segments. What no game reads is technical. */
export function pathText(r: ReviewTexts, path: readonly string[], namesOf: PathNames, within = 0): string {
  const names = namesOf(path).slice(within).map(plain);
  return (within === 0 && path[0]?.startsWith('$') === true ? [r.technical, ...names] : names).join(' › ');
}

/** The keys, positions and identifiers of a path. */
export const keysText = (path: readonly string[]): string =>
  path.map((segment) => plain(segment.replace(/^(?:id|key|name|slug|#) /, ''))).join(' › ');

/** The old and the new value. Of long ones it shows the part that differs; of a container, its size in words. */
export function ChangeValues({ change }: { change: ValueChange }) {
  const t = useTexts();
  const r = useReviewTexts();
  const { kind, from, to } = change;
  if (isWholeFlag(change)) return null;
  const [old, next] = shortTexts(r, from, to);
  const same = Math.max(old.length, next.length) > markedMin ? sameEnds(old, next) : undefined;
  return (
    <span className="change-values">
      {kind === 'move' && <span className="badge">{t.state.moved}</span>}
      {kind === 'remove' && (
        <>
          {!isContainer(from ?? null) && <small>{r.isGone}</small>}
          <del>{isContainer(from ?? null) ? r.removed(old) : old}</del>
        </>
      )}
      {kind === 'replace' && (
        <>
          <del>
            <Marked text={old} same={same} />
          </del>
          <span aria-hidden="true">→</span>
          <span className="hidden-text">{t.state.becomes}</span>
          <ins>
            <Marked text={next} same={same} />
          </ins>
        </>
      )}
      {kind === 'add' && (
        <>
          {!isContainer(to ?? null) && <small>{r.isNew}</small>}
          <ins>{isContainer(to ?? null) ? r.added(next) : next}</ins>
        </>
      )}
    </span>
  );
}

/** In shorter texts, what differs is plain to see. */
const markedMin = 24;

/** A text with what stands between equal ends marked. */
function Marked({ text, same }: { text: string; same: readonly [number, number] | undefined }) {
  if (same === undefined) return text;
  const [start, end] = [same[0], text.length - same[1]];
  return (
    <>
      {text.slice(0, start)}
      {start < end && <mark>{text.slice(start, end)}</mark>}
      {text.slice(end)}
    </>
  );
}

function shortTexts(r: ReviewTexts, from: Value, to: Value): readonly [string, string] {
  const [old, next] = [textOf(r, from), textOf(r, to)];
  return from === undefined || to === undefined ? [shortened(old), shortened(next)] : shortenedPair(old, next);
}

/** Yes, no or another scalar as JSON; of a container, how much is in it. */
function textOf(r: ReviewTexts, value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? r.yes : r.no;
  if (!isContainer(value)) return plain(printJson(value));
  const count = Object.keys(value).length;
  return count === 0 ? r.nothing : Array.isArray(value) ? r.entries(count) : r.fields(count);
}
