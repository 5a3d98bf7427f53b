/** The part of the storage contract that knows whether programs of an earlier release may still work on the store. */
import type { Awaitable } from '../common/awaitable.ts';

/**
 * What narrows what somebody may do, with the migration that it came with. A program that does not know that migration would not hold it:
 * it takes a credential for all that it was good for before.
 */
export const narrowings = {
  protectedEnvironments: 2,
  roles: 5,
  serviceAccounts: 6,
  requireSecondFactor: 8,
  guests: 9,
  enforcedSchemas: 10,
  playerBlocks: 11,
  linkedGuests: 13,
  flagsCheck: 14,
  suspendedAccounts: 15,
  narrowedAdmins: 18,
} as const satisfies Readonly<Record<string, number>>;
export type Narrowing = keyof typeof narrowings;

export interface UpgradeStore {
  /**
   * Whether all programs that work on the store know a migration: always in an embedded store, which has one program, and in a store that
   * a program made which knew it; otherwise from the moment on at which the operator has finished the upgrade, on every node.
   */
  isUpgradeFinished(migration: number): Awaitable<boolean>;
}
