/** The message about a written save. */
import { forgetPlayers } from '../../api/players.ts';
import { type StateRecord, type UserStateKey, writeUserState } from '../../api/state.ts';
import { textsOf } from '../../texts/index.ts';
import { toast } from '../../ui/toasts.tsx';
import { undoVersion } from '../../ui/undo.ts';

const [, playerTextsNow] = textsOf('players');

/** Says that a save was written, offers to undo it, and reads the player again. */
export async function announce(key: UserStateKey, before: StateRecord | null, written: StateRecord): Promise<void> {
  const action = undoVersion(before, written, async ({ state }, comment) => {
    const record = await writeUserState(key, { base: written, next: state, comment });
    await forgetPlayers(key);
    return record;
  });
  toast(playerTextsNow().written(written.version), { action });
  await forgetPlayers(key);
}
