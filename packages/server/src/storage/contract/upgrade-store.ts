/** The part of the storage contract that knows whether programs of an earlier release may still use the store. */
import type { Awaitable } from '../../common/awaitable.ts';

export interface UpgradeStore {
  /**
   * Whether all programs that use the store know a migration: always true for an embedded store, which has one program, and for a store
   * created by a program that knew it; otherwise from the moment the operator finishes the upgrade, on every node.
   */
  isUpgradeFinished(migration: number): Awaitable<boolean>;
}
