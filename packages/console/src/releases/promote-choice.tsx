/** The differences by value, grouped by location, and the choice of those to promote. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOpenGroups } from '../state/change-groups.ts';
import { FirstChanges } from '../state/change-list.tsx';
import type { ValueChange } from '../state/changes.ts';
import { ChangePath, ChangeValues, pathText } from '../state/value-change.tsx';
import { formatNumber } from '../texts/index.ts';
import { usePromoteTexts } from '../texts/promote.ts';

interface ChangeChoiceProps {
  readonly label: string;
  readonly changes: readonly ValueChange[];
  /** The ids of those not chosen. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

/** How many rows are open at first. */
const openRows = 24;

export function ChangeChoice({ label, changes, left, onChange }: ChangeChoiceProps) {
  const p = usePromoteTexts();
  const { groups, isOpen, toggle } = useOpenGroups(changes, openRows);
  const set = (some: readonly ValueChange[], isChosen: boolean) => {
    const next = new Set(left);
    for (const { id } of some) {
      if (isChosen) next.delete(id);
      else next.add(id);
    }
    onChange(next);
  };
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{label}</legend>
      <GroupLabel className="part part-all" changes={changes} left={left} onSet={set}>
        <b>{label}</b>
        <small>{p.selected(changes.length - left.size, changes.length)}</small>
      </GroupLabel>
      <div className="parts-list">
        {groups.map((group) => {
          const isNamed = group.path.length > 0;
          return (
            <div key={group.name} className="part-group">
              {isNamed && (
                <div className="part-head">
                  <GroupLabel className="part" changes={group.changes} left={left} onSet={set}>
                    <bdi className="change-path">{pathText(group.path)}</bdi>
                  </GroupLabel>
                  <button
                    type="button"
                    aria-expanded={isOpen(group)}
                    aria-label={p.changesIn(formatNumber(group.changes.length), pathText(group.path))}
                    onClick={() => toggle(group)}
                  >
                    <small>{formatNumber(group.changes.length)}</small>
                    <ChevronRight aria-hidden="true" />
                  </button>
                </div>
              )}
              {(isOpen(group) || !isNamed) && (
                <FirstChanges changes={group.changes} first={openRows}>
                  {(change) => (
                    <li key={change.id}>
                      <label className="part" data-kind={change.kind} data-inner={isNamed || undefined}>
                        <input
                          type="checkbox"
                          checked={!left.has(change.id)}
                          onChange={(event) => set([change], event.target.checked)}
                        />
                        <span className="part-text">
                          <ChangePath change={change} within={group.path.length} />
                          <ChangeValues change={change} />
                        </span>
                      </label>
                    </li>
                  )}
                </FirstChanges>
              )}
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

/** Its box is checked if all of them are chosen, and indeterminate if some are. */
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
