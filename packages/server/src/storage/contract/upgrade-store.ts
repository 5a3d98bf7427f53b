/** The part of the storage contract that knows whether programs of an earlier release may still use the store. */
import type { Awaitable } from '../../common/awaitable.ts';

/**
 * Features that restrict access, each with its migration. A program that does not know the migration would not enforce them: it accepts a
 * credential for everything it allowed before.
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
   * Whether all programs that use the store know a migration: always true for an embedded store, which has one program, and for a store
   * created by a program that knew it; otherwise from the moment the operator finishes the upgrade, on every node.
   */
  isUpgradeFinished(migration: number): Awaitable<boolean>;
}
