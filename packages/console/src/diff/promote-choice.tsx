/** The differences by value, grouped by location, and the choice of those to promote. */
import type { JsonObject } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePathNames } from '../fields/document-hints.tsx';
import type { ValueChange } from '../json-text/changes.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { useOpenGroups } from './change-groups.ts';
import { type Direction, DirectionLine, FirstChanges } from './change-list.tsx';
import { ChangePath, ChangeValues, pathText } from './value-change.tsx';
import './promote-choice.css';
import '../ui/change-list.css';

const [usePromoteTexts] = textsOf('promote');
const [useChangeTexts] = textsOf('changes');

interface ChangeChoiceProps {
  readonly label: string;
  readonly direction: Direction;
  readonly changes: readonly ValueChange[];
  /** The documents that they lead from and to. */
  readonly from: JsonObject;
  readonly to: JsonObject;
  /** The ids of the chosen changes. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** How many rows are open at first. */
const openRows = 24;

export function ChangeChoice({ label, direction, changes, from, to, chosen, onChange }: ChangeChoiceProps) {
  const p = usePromoteTexts();
  const c = useChangeTexts();
  const { groups, isOpen, toggle } = useOpenGroups(changes, openRows);
  const namesOf = usePathNames(from, to);
  const set = (some: readonly ValueChange[], isChosen: boolean) => {
    const ids = new Set(some.map(({ id }) => id));
    onChange(isChosen ? chosen.union(ids) : chosen.difference(ids));
  };
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{label}</legend>
      <GroupLabel className="part part-all" changes={changes} chosen={chosen} onSet={set}>
        <span className="part-text change-line">
          <b>{label}</b>
          <DirectionLine direction={direction} />
        </span>
      </GroupLabel>
      <div className="parts-list">
        {groups.map((group) => {
          const isNamed = group.path.length > 0;
          return (
            <div key={group.name} className="part-group">
              {isNamed && (
                <div className="part-head">
                  <GroupLabel className="part" changes={group.changes} chosen={chosen} onSet={set}>
                    <bdi className="change-path">{pathText(c, group.path, namesOf)}</bdi>
                  </GroupLabel>
                  <button
                    type="button"
                    aria-expanded={isOpen(group)}
                    aria-label={p.changesIn(formatNumber(group.changes.length), pathText(c, group.path, namesOf))}
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
                          checked={chosen.has(change.id)}
                          onChange={(event) => set([change], event.target.checked)}
                        />
                        <span className="part-text change-line">
                          <ChangePath change={change} namesOf={namesOf} within={group.path.length} />
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
  readonly chosen: ReadonlySet<string>;
  readonly onSet: (changes: readonly ValueChange[], isChosen: boolean) => void;
  readonly children: ReactNode;
}

/** Its box is checked if all of them are chosen, and indeterminate if some are. */
function GroupLabel({ className, changes, chosen, onSet, children }: GroupLabelProps) {
  const chosenHere = changes.filter(({ id }) => chosen.has(id)).length;
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={chosenHere === changes.length}
        ref={(box) => {
          if (box) box.indeterminate = chosenHere > 0 && chosenHere < changes.length;
        }}
        onChange={(event) => onSet(changes, event.target.checked)}
      />
      {children}
    </label>
  );
}
