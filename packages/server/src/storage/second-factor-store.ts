/**
 * The part of the storage contract that second factors need. A directory is an account id, or null for that of the developers. Whoever
 * deletes a user or an account deletes these too.
 */
import type { Awaitable } from '../common/awaitable.ts';

export interface SecondFactor {
  readonly accountId: string | null;
  readonly userId: string;
  /** The secret of an authenticator app, encrypted; opaque to the store. */
  readonly sealedSecret: Uint8Array;
  /** When the user began to set it up, having just proven who they are. */
  readonly createdAt: number;
  /** The newest time step of which a code was used. A code of it, or of an older one, is worth nothing. */
  readonly lastStep: number;
}

export interface SecondFactorStore {
  /** With how many recovery codes are left. */
  findSecondFactor(
    accountId: string | null,
    userId: string,
  ): Awaitable<(SecondFactor & { readonly recoveryCodes: number }) | undefined>;
  /**
   * Adds a second factor with its recovery codes. `no_user` when the user does not exist, or everything was ended at `createdAt` or later;
   * `already_exists` when the user has one.
   */
  addSecondFactor(
    factor: SecondFactor,
    recoveryHashes: readonly Uint8Array[],
  ): Promise<'added' | 'already_exists' | 'no_user'>;
  /** Moves the last step forward: of any number of uses of a step, on any node, exactly one gets `used`. */
  useSecondFactorStep(accountId: string | null, userId: string, step: number): Promise<'used' | 'stale'>;
  /** Deletes a recovery code: of any number of uses exactly one gets `used`. */
  useRecoveryCode(accountId: string | null, userId: string, codeHash: Uint8Array): Promise<'used' | 'unknown'>;
  /** `absent` when the user has no second factor. */
  replaceRecoveryCodes(
    accountId: string | null,
    userId: string,
    recoveryHashes: readonly Uint8Array[],
  ): Promise<'replaced' | 'absent'>;
  /** With its recovery codes. */
  removeSecondFactor(accountId: string | null, userId: string): Promise<'removed' | 'absent'>;
  /** Whether a developer is in an account that requires a second factor. */
  mustHaveSecondFactor(issuer: string, subject: string): Awaitable<boolean>;
}
