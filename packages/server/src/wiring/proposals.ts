/** Wires up proposals. */
import type { Handlers } from '../http/operation-request.ts';
import { proposalHandlers } from '../http/routes/proposals.ts';
import type { DisplayNames } from '../management/display-names.ts';
import { Applier } from '../proposals/apply.ts';
import { Proposals } from '../proposals/proposals.ts';
import type { Evaluator } from '../state/evaluator.ts';
import type { PublicStates } from '../state/public-state.ts';
import type { Wiring } from './wiring.ts';

/** The milliseconds for which ended proposals are kept. */
const keptMilliseconds = 90 * 24 * 60 * 60 * 1000;

/** Returns the handlers of proposals. */
export function createProposals(
  { store }: Wiring,
  evaluator: Evaluator,
  states: PublicStates,
  names: DisplayNames,
): Handlers {
  const parts = { store, states, evaluator };
  return proposalHandlers(new Proposals(parts), new Applier(parts), names);
}

/** Deletes some of the proposals that ended long ago. Returns the number deleted. */
export const forgetProposals = ({ store }: Pick<Wiring, 'store'>, now: number): Promise<number> =>
  store.sweepProposals(now - keptMilliseconds);
