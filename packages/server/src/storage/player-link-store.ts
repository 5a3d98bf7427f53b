/** The part of the storage contract that knows which player an identity signs in, and turns guests into players who can sign in. */
import type { Awaitable } from '../common/awaitable.ts';
import type { RefreshFamily } from './sign-in-store.ts';

export type LinkOutcome =
  /** The code was spent, and the family added. `subject` is the player that it is of. */
  | { readonly kind: 'linked' | 'in_use'; readonly subject: string }
  /** The key of the guest is retired, and the identity is not the one that it was linked to. Nothing was spent. */
  | { readonly kind: 'guest_upgraded' }
  | { readonly kind: 'replayed' | 'unknown' | 'ended' }
  /** The guest is blocked in a project of the account. */
  | { readonly kind: 'blocked' };

export interface PlayerLinkStore {
  /**
   * The player that a subject stands for now: that of the same id, if nothing was linked. For a guest whose key is retired, this is a
   * player as well, maybe of the same id; undefined while the key is good.
   */
  findLinkedPlayer(accountId: string, subject: string): Awaitable<string | undefined>;
  /**
   * Spends a code as `redeemAuthorizationCode` does. If the identity that has signed in is nobody's, it becomes the sign-in method of the
   * guest in the same step, the family is one of the guest, and what the identity's own player was signed in with ends. An identity is
   * nobody's when its player has no state in the account and no other method. States of the guest then count as those of everybody else.
   */
  redeemCodeLinking(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    guest: { readonly guestId: string; readonly epoch: number },
    now: number,
  ): Promise<LinkOutcome>;
}
