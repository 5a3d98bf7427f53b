/** What differs, value by value and grouped by where it stands, and which of it is to be carried over. */
import { type ReactNode, useMemo } from 'react';
import type { ValueChange } from '../state/changes.ts';
import { ChangePath, ChangeValues } from '../state/value-change.tsx';
import { formatNumber, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

interface ChangeChoiceProps {
  readonly changes: readonly ValueChange[];
  /** The ids of those that are not. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

interface Group {
  /** The member of the document that all of them are in. */
  readonly name: string;
  readonly changes: readonly ValueChange[];
}

const changesShownMax = 500;
/** Fewer need no heading. */
const groupedMin = 3;

/** Changes that follow each other in one member, where there are some in it. */
function groupsOf(changes: readonly ValueChange[]): readonly Group[] {
  const groups = Map.groupBy(changes, ({ path }) => path[0] ?? '');
  return [...groups].map(([name, inside]) => ({ name, changes: inside }));
}

export function ChangeChoice({ changes, left, onChange }: ChangeChoiceProps) {
  const t = useTexts();
  const groups = useMemo(() => groupsOf(changes), [changes]);
  const set = (some: readonly ValueChange[], isChosen: boolean) => {
    const next = new Set(left);
    for (const { id } of some) {
      if (isChosen) next.delete(id);
      else next.add(id);
    }
    onChange(next);
  };
  let shown = 0;
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{t.promote.parts}</legend>
      <GroupLabel className="part part-all" changes={changes} left={left} onSet={set}>
        <b>{t.promote.parts}</b>
        <small>{t.promote.selected(changes.length - left.size, changes.length)}</small>
      </GroupLabel>
      <div className="parts-list">
        {groups.map((group) => {
          const rows = group.changes.slice(0, Math.max(0, changesShownMax - shown));
          shown += rows.length;
          const isGrouped = group.changes.length >= groupedMin;
          return (
            <div key={group.name} className="part-group">
              {isGrouped && (
                <GroupLabel className="part part-head" changes={group.changes} left={left} onSet={set}>
                  <bdi className="change-path">{plain(group.name)}</bdi>
                  <small>{formatNumber(group.changes.length)}</small>
                </GroupLabel>
              )}
              {rows.map((change) => (
                <label key={change.id} className="part" data-kind={change.kind} data-inner={isGrouped || undefined}>
                  <input
                    type="checkbox"
                    checked={!left.has(change.id)}
                    onChange={(event) => set([change], event.target.checked)}
                  />
                  <span className="part-text">
                    <ChangePath change={change} within={isGrouped ? 1 : 0} />
                    <ChangeValues change={change} />
                  </span>
                </label>
              ))}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

interface GroupLabelProps {
  readonly className: string;
  readonly changes: readonly ValueChange[];
  readonly left: ReadonlySet<string>;
  readonly onSet: (changes: readonly ValueChange[], isChosen: boolean) => void;
  readonly children: ReactNode;
}

/** Its box is checked where all of them are chosen, and in between where some are. */
function GroupLabel({ className, changes, left, onSet, children }: GroupLabelProps) {
  const leftHere = changes.filter(({ id }) => left.has(id)).length;
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={leftHere === 0}
        ref={(box) => {
          if (box) box.indeterminate = leftHere > 0 && leftHere < changes.length;
        }}
        onChange={(event) => onSet(changes, event.target.checked)}
      />
      {children}
    </label>
  );
}
