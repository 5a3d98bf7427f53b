/** A change under review. If somebody else saves first, it is based on their version. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { type ReactNode, useState } from 'react';
import { type Change, type Overlap, rebased, settled, type Version } from '../open-text/rebase.ts';
import { ConflictDialog } from './conflict-dialog.tsx';

interface Rebased<Stored extends Version, Value extends JsonValue> {
  /** The change to review; undefined while `dialog` asks about values that both sides changed. */
  readonly change: Change<Stored, Value | JsonObject> | undefined;
  readonly dialog: ReactNode;
  /** Somebody else has saved this version first. */
  readonly moveTo: (theirs: Stored | null) => void;
}

export function useRebased<Stored extends Version, Value extends JsonValue>(
  first: Change<Stored, Value | JsonObject> | Overlap<Stored>,
  contentOf: (stored: Stored) => Value,
  onClose: () => void,
): Rebased<Stored, Value> {
  const [step, setStep] = useState(first);
  if ('merge' in step) {
    const settle = (next: JsonObject) => setStep(settled(step.theirs, next));
    const dialog = <ConflictDialog overlap={step} onClose={onClose} onSettled={settle} />;
    return { change: undefined, dialog, moveTo: () => undefined };
  }
  return { change: step, dialog: null, moveTo: (theirs) => setStep(rebased(theirs, step, contentOf)) };
}
