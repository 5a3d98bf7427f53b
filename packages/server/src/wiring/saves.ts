/** Wires the saves of end users, and players, together. */
import { meHandlers } from '../http/routes/me.ts';
import { playerHandlers } from '../http/routes/players.ts';
import { userStateHandlers } from '../http/routes/user-state.ts';
import type { Evaluator } from '../state/evaluator.ts';
import { createSaveSweep, type SaveRetentions } from '../state/save-retention.ts';
import { createUserStates } from '../state/user-state.ts';
import type { Wiring } from './wiring.ts';

type Rest =
  Parameters<typeof createUserStates> extends [unknown, unknown, unknown, unknown, ...infer Others] ? Others : never;

/** Returns the handlers of saves and players, and what drops the versions that are not kept any more. `others` are the last of `createUserStates`. */
export function createSaves(
  { store, now }: Pick<Wiring, 'store' | 'now'>,
  evaluator: Evaluator,
  retentions: SaveRetentions,
  ...others: Rest
) {
  const states = createUserStates(store, evaluator, now, retentions, ...others);
  const players = { store, now, keeps: retentions.of };
  const handlers = { ...userStateHandlers(states, store), ...playerHandlers(players), ...meHandlers(players) };
  return { handlers, sweep: createSaveSweep(store, retentions) };
}
