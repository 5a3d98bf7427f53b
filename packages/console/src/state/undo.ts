/** Reverts a write: the previous version becomes a new one, unless somebody has written since. */
import { forgetState } from '../api/queries.ts';
import { type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { textsNow } from '../texts/index.ts';
import { type ToastAction, toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

/** Returns the action for the message about a write; undefined if there was no previous version. */
export function undoOf(key: StateKey, before: StateRecord | null, written: StateRecord): ToastAction | undefined {
  if (before === null) return undefined;
  return undo(async () => {
    const t = textsNow();
    const comment = t.common.undid(written.version);
    const record = await writeState(key, { base: written, next: before.state, comment });
    if (record === undefined) {
      toast(t.common.undoLate, { isFault: true });
      return undefined;
    }
    await forgetState(key);
    return t.common.undone(record.version);
  });
}
