/** Reverts a write: the previous version becomes a new one, or is proposed, unless somebody has written since. */
import { propose } from '../api/proposals.ts';
import { forgetState } from '../api/queries.ts';
import { type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { textsNow, textsOf } from '../texts/index.ts';
import { type ToastAction, toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

const [, releaseTextsNow] = textsOf('releases');

/** Returns the action for the message about a write; undefined if there was no previous version. `isProposed`: undoing takes approvals. */
export function undoOf(
  key: StateKey,
  before: StateRecord | null,
  written: StateRecord,
  isProposed = false,
): ToastAction | undefined {
  if (before === null) return undefined;
  return undo(async () => {
    const t = textsNow();
    const write = { base: written, next: before.state, comment: t.common.undid(written.version) };
    if (isProposed) {
      await propose(key, write);
      return releaseTextsNow().undoProposed(written.version);
    }
    const record = await writeState(key, write);
    if (record === undefined) {
      toast(t.common.undoLate, { isFault: true });
      return undefined;
    }
    await forgetState(key);
    return t.common.undone(record.version);
  });
}
