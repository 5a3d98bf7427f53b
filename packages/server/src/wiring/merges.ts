/** Wires up merges: how a guest becomes another player. */
import { mergeHandlers } from '../http/routes/merge.ts';
import type { Guests } from '../players/guest-proof.ts';
import { createMerges } from '../players/merges.ts';
import type { Announcements } from '../state/changes/announcements.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { UserStateRetentions } from '../state/user-state-retention.ts';
import type { WriteChecks } from '../state/validation/write-checks.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { userScope as repeatScope } from '../storage/contract/repeats.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Part, Wiring } from './wiring.ts';

interface MergeWiring extends Pick<Wiring, 'store' | 'now'> {
  readonly guests: Pick<Guests, 'prove'>;
  readonly retentions: UserStateRetentions;
  readonly evaluator: Evaluator;
  readonly checks: WriteChecks<UserStateKey>;
  readonly watchers: Announcements<UserStateKey>;
}

/** Wires up merges. After one, streams of the user states look again. */
export function createMergePart({ store, guests, retentions, evaluator, checks, watchers, now }: MergeWiring): Part {
  const onChanged = (key: UserStateKey) => watchers.announce(key, undefined);
  const retentionOf = (key: ProjectKey) => retentions.of(key);
  const merges = createMerges({ store, guests, repeatScope, retentionOf, onChanged, now });
  return { handlers: mergeHandlers(merges, evaluator, checks) };
}
