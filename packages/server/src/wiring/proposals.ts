/** Wires up proposals, and what happens to them at their times. */
import { proposalHandlers } from '../http/routes/proposals.ts';
import type { DisplayNames } from '../management/display-names.ts';
import { Applier } from '../proposals/apply.ts';
import { Proposals } from '../proposals/proposals.ts';
import { createScheduler } from '../proposals/scheduler.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { PublicStates } from '../state/public-state.ts';
import type { Part, Wiring } from './wiring.ts';

interface ProposalWiring extends Wiring {
  readonly evaluator: Evaluator;
  readonly states: PublicStates;
  readonly names: DisplayNames;
}

/** Wires up proposals. `start` begins to apply and revert them at their times. When closed, steps under way end first. */
export function createProposals(wiring: ProposalWiring): Part & { start(): void } {
  const { store, states, evaluator, names, observation, disposal } = wiring;
  const parts = { store, states, evaluator };
  const applier = new Applier(parts);
  const scheduler = createScheduler({
    store,
    applier,
    onFault: (error) => observation.background.onBackgroundFailure('proposals', error),
  });
  disposal.add('the times of proposals', () => scheduler.close());
  return { handlers: proposalHandlers(new Proposals(parts), applier, names), start: scheduler.start };
}
