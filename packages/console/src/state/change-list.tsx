/** What differs between two documents, above their texts: a line for each value, which leads to it. */
import type { JsonObject } from '@holdfast/json';
import { useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import type { ValueChange } from './changes.ts';
import { lineOf, type Place } from './place-in-text.ts';
import { ChangePath, ChangeValues } from './value-change.tsx';

const shownAtFirst = 8;
/** A list of more is of no use, and takes long to show. The texts below have them all. */
const shownMax = 500;

interface ChangeListProps {
  readonly changes: readonly ValueChange[];
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly onJump: (place: Place) => void;
}

export function ChangeList({ changes, from, to, onJump }: ChangeListProps) {
  const t = useTexts();
  const [isWhole, setWhole] = useState(false);
  if (changes.length === 0) return null;
  const shown = changes.slice(0, isWhole ? shownMax : shownAtFirst);
  const placeOf = ({ kind, path }: ValueChange): Place =>
    kind === 'remove' ? { side: 'from', line: lineOf(from, path) } : { side: 'to', line: lineOf(to, path) };
  return (
    <section className="change-list" aria-label={t.state.reviewText(changes.length)}>
      <ul>
        {shown.map((change) => (
          <li key={change.id} data-kind={change.kind}>
            <button type="button" onClick={() => onJump(placeOf(change))}>
              <ChangePath change={change} />
              <ChangeValues change={change} />
            </button>
          </li>
        ))}
      </ul>
      {changes.length > shown.length && !isWhole && (
        <Button kind="quiet" size="small" onClick={() => setWhole(true)}>
          {t.state.allChanges(changes.length)}
        </Button>
      )}
    </section>
  );
}
