/** Wires up public states with their flags, and user states with their players. */
import type { Flags } from '../flags/flags.ts';
import { flagHandlers } from '../http/routes/flags.ts';
import { meHandlers } from '../http/routes/me.ts';
import { playerHandlers } from '../http/routes/players.ts';
import { publicStateHandlers } from '../http/routes/public-state.ts';
import { userStateHandlers } from '../http/routes/user-state.ts';
import type { DisplayNames } from '../management/display-names.ts';
import { createPublicStates, type PublicStateParts, type PublicStates } from '../state/public-state.ts';
import { createUserStates, type UserStateParts } from '../state/user-state.ts';
import { createUserStateSweep } from '../state/user-state-retention.ts';
import type { Part } from './wiring.ts';

interface UserStateWiring extends UserStateParts {
  readonly names: DisplayNames;
}

/** Returns the handlers of user states and players, and what drops versions that are no longer kept. */
export function createUserStateParts({ names, ...parts }: UserStateWiring): Part & { sweep(now: number): Promise<number> } {
  const { store, retentions, now } = parts;
  const states = createUserStates(parts);
  const players = { store, now, retention: retentions.of };
  const handlers = { ...userStateHandlers(states, store, names), ...playerHandlers(players), ...meHandlers(players) };
  return { handlers, sweep: createUserStateSweep(store, retentions) };
}

interface PublicStateWiring extends PublicStateParts {
  readonly flags: Flags;
  readonly names: DisplayNames;
}

/** Returns public states with their handlers. */
export function createPublicStatePart({
  flags,
  names,
  ...parts
}: PublicStateWiring): Part & { readonly states: PublicStates } {
  const states = createPublicStates(parts);
  return { states, handlers: { ...publicStateHandlers(states, names), ...flagHandlers(states, flags) } };
}
