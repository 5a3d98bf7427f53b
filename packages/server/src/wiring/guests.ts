/** Wires up guests: how they play, and how one is merged into another player. */
import type { HandlersOf } from '../http/operation-request.ts';
import { mergeHandlers } from '../http/routes/merge.ts';
import { createNewGuests } from '../limits/new-guests.ts';
import { createGuestNonces, type GuestNonces } from '../players/guest-nonces.ts';
import { createGuests, type Guests } from '../players/guest-proof.ts';
import { createMerges } from '../players/merges.ts';
import type { Announcements } from '../state/changes/announcements.ts';
import type { Evaluator } from '../state/evaluator.ts';
import type { ActiveSchemas } from '../state/schema-cache.ts';
import type { UserStateRetentions } from '../state/user-state-retention.ts';
import type { ProjectKey } from '../storage/contract/management.ts';
import { userScope as repeatScope } from '../storage/contract/repeats.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Wiring } from './wiring.ts';

export interface GuestParts {
  readonly guests: Guests;
  readonly nonces: GuestNonces;
}

/** Returns guests, and the nonces that they sign. */
export function createGuestParts({ store, config, secretKeys, baseUrl: audience, now }: Wiring): GuestParts {
  const nonces = createGuestNonces(secretKeys, now);
  const newGuests = createNewGuests({ store, countMax: config.guestsPerHour, now });
  return { nonces, guests: createGuests({ store, nonces, newGuests, audience }) };
}

/** Returns the handlers of merges. After a merge, streams of the user states look again. */
export function createMergeRoutes(
  { store, now }: Pick<Wiring, 'store' | 'now'>,
  guests: Pick<Guests, 'prove'>,
  retentions: UserStateRetentions,
  evaluator: Evaluator,
  schemas: ActiveSchemas<UserStateKey>,
  documents: Announcements<UserStateKey>,
): HandlersOf<'mergeGuest'> {
  const onChanged = (key: UserStateKey) => documents.announce(key, undefined);
  const retentionOf = (key: ProjectKey) => retentions.of(key);
  return mergeHandlers(createMerges({ store, guests, repeatScope, retentionOf, onChanged, now }), evaluator, schemas);
}
