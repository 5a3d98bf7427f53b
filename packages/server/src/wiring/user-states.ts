/** Wires up user states and players. */
import { meHandlers } from '../http/routes/me.ts';
import { playerHandlers } from '../http/routes/players.ts';
import { userStateHandlers } from '../http/routes/user-state.ts';
import type { DisplayNames } from '../management/display-names.ts';
import type { Evaluator } from '../state/evaluator.ts';
import { createUserStates } from '../state/user-state.ts';
import { createUserStateSweep, type UserStateRetentions } from '../state/user-state-retention.ts';
import type { Wiring } from './wiring.ts';

type Rest =
  Parameters<typeof createUserStates> extends [unknown, unknown, unknown, unknown, ...infer Others] ? Others : never;

/**
 * Returns the handlers of user states and players, and what drops versions that are no longer kept. `others` are the last arguments of
 * `createUserStates`.
 */
export function createUserStateParts(
  { store, now, names }: Pick<Wiring, 'store' | 'now'> & { readonly names: DisplayNames },
  evaluator: Evaluator,
  retentions: UserStateRetentions,
  ...others: Rest
) {
  const states = createUserStates(store, evaluator, now, retentions, ...others);
  const players = { store, now, retention: retentions.of };
  const handlers = { ...userStateHandlers(states, store, names), ...playerHandlers(players), ...meHandlers(players) };
  return { handlers, sweep: createUserStateSweep(store, retentions) };
}
