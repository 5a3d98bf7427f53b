import type { Owner } from '../auth/owner.ts';
import type { Snapshot, SubscribeOptions } from './snapshot.ts';

/** From when listening begins until it ends or somebody else signs in. */
export interface Run {
  readonly signal: AbortSignal;
  abort(): void;
  /** Whom it is for; null until that is known. */
  owner: Owner;
}

/** Who gets the snapshots of a document. */
export interface Listener<State> {
  readonly tell: (snapshot: Snapshot<State>) => void;
  readonly onError: SubscribeOptions['onError'];
}
