/** The way back from a write: what was stored before it becomes a new version, unless somebody has written since. */
import { forgetState } from '../api/queries.ts';
import { type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { textsNow } from '../texts/index.ts';
import { faultText } from '../ui/fault-text.ts';
import { type ToastAction, toast } from '../ui/toasts.tsx';

/** Returns the action of the message that tells of a write; undefined where there was nothing before it. */
export function undoOf(key: StateKey, before: StateRecord | null, written: StateRecord): ToastAction | undefined {
  const t = textsNow();
  if (before === null) return undefined;
  const run = async () => {
    try {
      const comment = t.common.undid(written.version);
      const record = await writeState(key, { base: written, next: before.state, comment });
      if (record === undefined) return toast(t.common.undoLate, { isFault: true });
      await forgetState(key);
      toast(t.common.undone(record.version));
    } catch (error) {
      toast(faultText(t, error), { isFault: true });
    }
  };
  return { label: t.common.undo, run: () => void run() };
}
