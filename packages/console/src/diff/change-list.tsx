/** The changes between two documents, above their texts: a line per value, which links to it, grouped by part. */
import type { JsonObject } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type PathNames, usePathNames } from '../fields/document-hints.tsx';
import type { ValueChange } from '../json-text/changes.ts';
import { type DiffLine, lineOf } from '../json-text/line-in-text.ts';
import { formatNumber, textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { type ChangeGroup, useOpenGroups } from './change-groups.ts';
import { ChangePath, ChangeValues, pathText } from './value-change.tsx';
import '../ui/change-list.css';

const [useChangeTexts] = textsOf('changes');

/** Rows of each group until a user asks for all. */
const shownAtFirst = 8;
/** Up to this many further rows need no button. */
const fewMore = 4;
/** Longer lists are useless and slow. The texts below show all changes. */
const shownMax = 500;

/** The names of the two documents: the values lead from one to the other. */
export type Direction = readonly [from: string, to: string];

export function DirectionLine({ direction: [from, to] }: { direction: Direction }) {
  const t = useTexts();
  return (
    <span className="change-direction">
      <span>
        {plain(from)} <span aria-hidden="true">→</span>
        <span className="hidden-text">{t.state.becomes}</span>
      </span>{' '}
      <span>{plain(to)}</span>
    </span>
  );
}

/** The head of a list: the number of changes, and the direction above the values. */
export function ChangesHead({ count, direction }: { count: number; direction: Direction }) {
  const t = useTexts();
  return (
    <header className="change-line">
      <b>{t.state.reviewText(count)}</b>
      <DirectionLine direction={direction} />
    </header>
  );
}

interface ChangeListProps {
  readonly changes: readonly ValueChange[];
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly direction: Direction;
  readonly onJump: (line: DiffLine) => void;
}

export function ChangeList({ changes, from, to, direction, onJump }: ChangeListProps) {
  const t = useTexts();
  const { groups, isOpen, toggle } = useOpenGroups(changes, shownAtFirst);
  const namesOf = usePathNames(from, to);
  if (changes.length === 0) return null;
  const lineOfChange = ({ kind, path }: ValueChange): DiffLine =>
    kind === 'remove' ? { side: 'from', line: lineOf(from, path) } : { side: 'to', line: lineOf(to, path) };
  return (
    <section className="change-list" aria-label={t.state.reviewText(changes.length)}>
      <ChangesHead count={changes.length} direction={direction} />
      {groups.slice(0, shownMax).map((group) => (
        <div key={group.name}>
          {group.path.length > 0 && (
            <GroupHead group={group} namesOf={namesOf} isOpen={isOpen(group)} onToggle={() => toggle(group)} />
          )}
          {(isOpen(group) || group.path.length === 0) && (
            <FirstChanges changes={group.changes} first={shownAtFirst}>
              {(change) => (
                <li key={change.id} data-kind={change.kind} data-inner={group.path.length > 0 || undefined}>
                  <button type="button" className="change-line" onClick={() => onJump(lineOfChange(change))}>
                    <ChangePath change={change} namesOf={namesOf} within={group.path.length} />
                    <ChangeValues change={change} />
                  </button>
                </li>
              )}
            </FirstChanges>
          )}
        </div>
      ))}
    </section>
  );
}

interface GroupHeadProps {
  readonly group: ChangeGroup;
  readonly namesOf: PathNames;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The heading of a group, which opens and closes it. */
function GroupHead({ group, namesOf, isOpen, onToggle }: GroupHeadProps) {
  const c = useChangeTexts();
  return (
    <button type="button" className="change-head" aria-expanded={isOpen} onClick={onToggle}>
      <ChevronRight aria-hidden="true" />
      <bdi className="change-path">{pathText(c, group.path, namesOf)}</bdi>
      <small>{formatNumber(group.changes.length)}</small>
    </button>
  );
}

interface FirstChangesProps {
  readonly changes: readonly ValueChange[];
  readonly first: number;
  /** A row of the list. */
  readonly children: (change: ValueChange) => ReactNode;
}

/** The first rows of many, and a button for the rest. */
export function FirstChanges({ changes, first, children }: FirstChangesProps) {
  const t = useTexts();
  const [isWhole, setWhole] = useState(false);
  const shown = changes.slice(0, isWhole ? shownMax : first + (changes.length <= first + fewMore ? fewMore : 0));
  const isCut = changes.length > shown.length;
  return (
    <>
      <ul>{shown.map(children)}</ul>
      {isCut && !isWhole && (
        <Button kind="quiet" size="small" className="all-changes" onClick={() => setWhole(true)}>
          {t.state.allChanges(changes.length)}
        </Button>
      )}
      {isCut && isWhole && <p className="hint all-changes">{t.state.moreFindings(changes.length - shown.length)}</p>}
    </>
  );
}
