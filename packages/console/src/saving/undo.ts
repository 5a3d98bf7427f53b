/** Reverts a write: the previous version becomes a new one, or is proposed, unless somebody has written since. */
import { propose } from '../api/proposals.ts';
import { forgetState } from '../api/queries.ts';
import { type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { textsNow, textsOf } from '../texts/index.ts';
import type { ToastAction } from '../ui/toasts.tsx';
import { undo, undoVersion } from '../ui/undo.ts';

const [, releaseTextsNow] = textsOf('releases');

/** Returns the action for the message about a write; undefined if there was no previous version. `isProposed`: undoing takes approvals. */
export function undoOf(
  key: StateKey,
  before: StateRecord | null,
  written: StateRecord,
  isProposed = false,
): ToastAction | undefined {
  if (before !== null && isProposed) return undo(() => proposed(key, before, written));
  return undoVersion(before, written, async ({ state }, comment) => {
    const record = await writeState(key, { base: written, next: state, comment });
    if (record !== undefined) await forgetState(key);
    return record;
  });
}

async function proposed(key: StateKey, before: StateRecord, written: StateRecord): Promise<string> {
  const comment = textsNow().common.undid(written.version);
  await propose(key, { base: written, next: before.state, comment });
  return releaseTextsNow().undoProposed(written.version);
}
