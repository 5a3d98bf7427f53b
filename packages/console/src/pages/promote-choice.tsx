/** What differs, value by value, and which of it is to be carried over. */
import type { ValueChange } from '../state/changes.ts';
import { ChangePath, ChangeValues } from '../state/value-change.tsx';
import { useTexts } from '../texts/index.ts';

interface ChangeChoiceProps {
  readonly changes: readonly ValueChange[];
  /** The ids of those that are not. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

const changesShownMax = 500;

export function ChangeChoice({ changes, left, onChange }: ChangeChoiceProps) {
  const t = useTexts();
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    onChange(next);
  };
  const all = changes.length;
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{t.promote.parts}</legend>
      <label className="part part-all">
        <input
          type="checkbox"
          checked={left.size === 0}
          ref={(box) => {
            if (box) box.indeterminate = left.size > 0 && left.size < all;
          }}
          onChange={(event) => onChange(event.target.checked ? new Set() : new Set(changes.map(({ id }) => id)))}
        />
        <b>{t.promote.parts}</b>
        <small>{t.promote.selected(all - left.size, all)}</small>
      </label>
      <div className="parts-list">
        {changes.slice(0, changesShownMax).map((change) => (
          <label key={change.id} className="part" data-kind={change.kind}>
            <input
              type="checkbox"
              checked={!left.has(change.id)}
              onChange={(event) => toggle(change.id, event.target.checked)}
            />
            <span className="part-text">
              <ChangePath change={change} />
              <ChangeValues change={change} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
