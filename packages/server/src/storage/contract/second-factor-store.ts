/**
 * The part of the storage contract for second factors. A directory is an account id, or null for the developers' directory. Deleting a user
 * or an account also deletes its second factors.
 */
import type { Awaitable } from '../../common/awaitable.ts';

export interface SecondFactor {
  readonly accountId: string | null;
  readonly userId: string;
  /** The secret of an authenticator app, encrypted; opaque to the store. */
  readonly sealedSecret: Uint8Array;
  /** When the user began to set it up, immediately after proving their identity. */
  readonly createdAt: number;
  /** The newest time step of a used code. A code of this step or an older one is rejected. */
  readonly lastStep: number;
}

export interface SecondFactorStore {
  /** Finds a user's second factor, with the number of recovery codes left. */
  findSecondFactor(
    accountId: string | null,
    userId: string,
  ): Awaitable<(SecondFactor & { readonly recoveryCodes: number }) | undefined>;
  /**
   * Adds a second factor with its recovery codes. `no_user` if the user does not exist, or all the user's sign-ins were ended at
   * `createdAt` or later; `already_exists` if the user already has a second factor.
   */
  addSecondFactor(
    factor: SecondFactor,
    recoveryHashes: readonly Uint8Array[],
  ): Promise<'added' | 'already_exists' | 'no_user'>;
  /** Moves the last step forward. Of all uses of a step, on any node, exactly one gets `used`. */
  useSecondFactorStep(accountId: string | null, userId: string, step: number): Promise<'used' | 'stale'>;
  /** Deletes a recovery code. Of all uses, exactly one gets `used`. */
  useRecoveryCode(accountId: string | null, userId: string, codeHash: Uint8Array): Promise<'used' | 'unknown'>;
  /** `absent` if the user has no second factor. */
  replaceRecoveryCodes(
    accountId: string | null,
    userId: string,
    recoveryHashes: readonly Uint8Array[],
  ): Promise<'replaced' | 'absent'>;
  /** Removes a second factor with its recovery codes. */
  removeSecondFactor(accountId: string | null, userId: string): Promise<'removed' | 'absent'>;
  /** Whether a developer is a member of an account that requires a second factor. */
  mustHaveSecondFactor(issuer: string, subject: string): Awaitable<boolean>;
}
