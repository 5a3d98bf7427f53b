/** One change of a value in a line: path, old and new value. */

import type { PathNames } from '../fields/document-hints.tsx';
import type { ValueChange } from '../json-text/changes.ts';
import type { ChangeTexts } from '../texts/changes-en.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { sameEnds, shortenedPair } from './short-value.ts';
import { Quoted, valueInLine } from './value-in-line.tsx';
import { type Piece, wordChanges } from './word-changes.ts';
import '../ui/change-list.css';

const [useChangeTexts] = textsOf('changes');

interface ChangePathProps {
  readonly change: ValueChange;
  /** Names the segments of its path. */
  readonly namesOf: PathNames;
  /** How many leading segments are shown elsewhere. */
  readonly within?: number;
}

/** The path of a change for people, with the keys as its title. */
export function ChangePath({ change, namesOf, within = 0 }: ChangePathProps) {
  const c = useChangeTexts();
  const { path } = change;
  if (isWholeFlag(change)) {
    const name = plain(path[1] ?? '');
    return <bdi className="change-path">{change.kind === 'add' ? c.flagAdded(name) : c.flagRemoved(name)}</bdi>;
  }
  const text = pathText(c, path, namesOf, path.length > within ? within : 0);
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
export function pathText(c: ChangeTexts, path: readonly string[], namesOf: PathNames, within = 0): string {
  const names = namesOf(path).slice(within).map(plain);
  return (within === 0 && path[0]?.startsWith('$') === true ? [c.technical, ...names] : names).join(' › ');
}

/** The keys, positions and identifiers of a path. */
export const keysText = (path: readonly string[]): string =>
  path.map((segment) => plain(segment.replace(/^(?:id|key|name|slug|#) /, ''))).join(' › ');

/** The old and the new value. Of long ones it shows the part that differs; of a container, its size in words. */
export function ChangeValues({ change }: { change: ValueChange }) {
  const t = useTexts();
  const c = useChangeTexts();
  const { kind, from, to } = change;
  if (isWholeFlag(change)) return null;
  if (isLong(change)) return <LongValues from={change.from} to={change.to} />;
  const [old, next] = shortenedPair(valueInLine(c, from), valueInLine(c, to));
  const same = Math.max(old.length, next.length) > markedMin ? sameEnds(old, next) : undefined;
  return (
    <span className="change-values">
      {kind === 'move' && <span className="badge">{t.state.moved}</span>}
      {kind === 'remove' && (
        <>
          <span className="badge">{c.isGone}</span>
          <del>
            <Quoted value={from}>{old}</Quoted>
          </del>
        </>
      )}
      {kind === 'replace' && (
        <>
          <del>
            <Quoted value={from}>
              <Marked text={old} same={same} />
            </Quoted>
          </del>
          <span aria-hidden="true">→</span>
          <span className="hidden-text">{t.state.becomes}</span>
          <ins>
            <Quoted value={to}>
              <Marked text={next} same={same} />
            </Quoted>
          </ins>
        </>
      )}
      {kind === 'add' && (
        <>
          <span className="badge">{c.isNew}</span>
          <ins>
            <Quoted value={to}>{next}</Quoted>
          </ins>
        </>
      )}
    </span>
  );
}

/** Longer texts have a line each. */
const lineMin = 40;

interface LongChange {
  readonly from: string;
  readonly to: string;
}

const isLong = (change: ValueChange): change is ValueChange & LongChange => {
  const { kind, from, to } = change;
  return (
    kind === 'replace' && typeof from === 'string' && typeof to === 'string' && Math.max(from.length, to.length) > lineMin
  );
};

/** The old text above the new one: the words that differ, and a few around them. */
function LongValues({ from, to }: LongChange) {
  const t = useTexts();
  const [old, next] = [contentOf(from), contentOf(to)];
  const [oldPieces, nextPieces] = wordChanges(old, next) ?? shortenedPieces(old, next);
  return (
    <span className="change-values long">
      <del>
        <span aria-hidden="true">−</span>
        <Pieces pieces={oldPieces} />
      </del>
      <span className="hidden-text">{t.state.becomes}</span>
      <ins>
        <span aria-hidden="true">+</span>
        <Pieces pieces={nextPieces} />
      </ins>
    </span>
  );
}

/** A text in a line, with all of its spaces, since they may be what differs. */
const contentOf = (text: string): string => plain(text.replaceAll('\n', ' ↵ '));

/** Two texts without words: the part that differs, up to the equal ends. */
function shortenedPieces(from: string, to: string): readonly (readonly Piece[])[] {
  const pair = shortenedPair(from, to);
  const [start, end] = sameEnds(...pair);
  return pair.map((text) => [
    { text: text.slice(0, start), isChanged: false },
    { text: text.slice(start, text.length - end), isChanged: true },
    { text: text.slice(text.length - end), isChanged: false },
  ]);
}

const Pieces = ({ pieces = [] }: { pieces: readonly Piece[] | undefined }) => (
  <span>
    {pieces.map(({ text, isChanged }, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
      return isChanged ? <mark key={index}>{text}</mark> : text;
    })}
  </span>
);

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
