/** Sign-ins that wait for a second factor, and visitors of *Your sign-in*. Both are sealed for one browser and valid for ten minutes. */
import type { Sealer } from '../../common/secrets/sealer.ts';
import type { Store } from '../../storage/store.ts';
import { createTickets, type Tickets } from '../tickets.ts';
import type { Person, Proof } from './directory.ts';

/** Somebody with proof of identity, in one directory. */
export interface Proven extends Proof {
  readonly accountId: string | null;
  readonly person: Person;
}

export interface PendingSignIn extends Proven {
  /** `password`, or the id of a provider. */
  readonly provider: string;
  /** Set in the browser when the sign-in is complete. */
  readonly deviceToken: string | undefined;
  readonly mayOfferPasskey: boolean;
}

export interface PendingSignIns {
  readonly pending: Tickets<PendingSignIn>;
  readonly visits: Tickets<Proven>;
}

/** Returns both kinds of tickets. */
export function createPendingSignIns(
  options: Sealer & { readonly store: Pick<Store, 'spendTicket'>; readonly now: () => number },
): PendingSignIns {
  return {
    pending: createTickets<PendingSignIn>({ ...options, kind: 'second step' }),
    visits: createTickets<Proven>({ ...options, kind: 'own account' }),
  };
}
