/** The part of the storage contract that knows which player an identity signs in, and turns guests into players who can sign in. */
import type { Awaitable } from '../../common/awaitable.ts';
import type { RefreshFamily } from './sign-in-store.ts';

export type LinkOutcome =
  /** The code was spent, and the family added. `subject` is its player. */
  | { readonly kind: 'linked' | 'in_use'; readonly subject: string }
  /** The guest's key is retired, and it was linked to another identity. Nothing was spent. */
  | { readonly kind: 'guest_upgraded' }
  | { readonly kind: 'replayed' | 'unknown' | 'ended' }
  /** The guest is blocked in a project of the account. */
  | { readonly kind: 'blocked' };

export interface PlayerLinkStore {
  /**
   * The player that a subject stands for now: the one with the same id, if nothing was linked. A guest whose key is retired also stands for
   * a player, perhaps with the same id; undefined while the key is valid.
   */
  findLinkedPlayer(accountId: string, subject: string): Awaitable<string | undefined>;
  /**
   * Spends a code as `redeemAuthorizationCode` does. If the signed-in identity is nobody's, it becomes the guest's sign-in method in the
   * same step, the family belongs to the guest, and the sign-ins of the identity's own player end. An identity is nobody's if its player
   * has no state in the account and no other method. The guest's states then count as a player's.
   */
  redeemCodeLinking(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    guest: { readonly guestId: string; readonly epoch: number },
    now: number,
  ): Promise<LinkOutcome>;
}
