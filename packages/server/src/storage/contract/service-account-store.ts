/** The part of the storage contract for service accounts: non-human identities of an account. */
import type { Authority } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';

/** A secret of a service account as stored: never the secret itself, only its SHA-256. */
export interface ServiceAccountSecret {
  readonly secretId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface NewServiceAccount extends Authority {
  readonly accountId: string;
  readonly serviceAccountId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface ServiceAccount extends NewServiceAccount {
  /** When any of its secrets, including deleted secrets, was last used. */
  readonly lastUsedAt: number | null;
  /** Its secrets, oldest first. */
  readonly secrets: readonly ServiceAccountSecret[];
}

/** A secret to be stored under its SHA-256. */
export interface NewServiceAccountSecret extends Pick<ServiceAccountSecret, 'secretId' | 'createdAt'> {
  readonly secretHash: Uint8Array;
}

/** A use of a service account with one of its secrets. */
export interface ServiceAccountUse extends Pick<ServiceAccount, 'accountId' | 'serviceAccountId'> {
  readonly secretId: string;
  readonly usedAt: number;
}

/** A secret's service account, and the id of the secret. */
export interface FoundSecret {
  readonly serviceAccount: ServiceAccount;
  readonly secretId: string;
}

export interface ServiceAccountStore {
  /** Creates a service account, unless the account already has `accountsMax` or more. */
  createServiceAccount(
    by: ChangedBy,
    serviceAccount: NewServiceAccount,
    secret: NewServiceAccountSecret,
    accountsMax: number,
  ): Promise<'created' | 'no_account' | 'too_many'>;
  findServiceAccount(accountId: string, serviceAccountId: string): Awaitable<ServiceAccount | undefined>;
  findServiceAccountBySecret(secretHash: Uint8Array): Awaitable<FoundSecret | undefined>;
  /** All service accounts of the account, newest first. */
  listServiceAccounts(accountId: string): Awaitable<readonly ServiceAccount[]>;
  /** Deletes a service account with its secrets. */
  deleteServiceAccount(by: ChangedBy, accountId: string, serviceAccountId: string): Promise<'deleted' | 'absent'>;
  /** Adds a secret, unless the service account already has `secretsMax` or more. */
  addServiceAccountSecret(
    by: ChangedBy,
    accountId: string,
    serviceAccountId: string,
    secret: NewServiceAccountSecret,
    secretsMax: number,
  ): Promise<'added' | 'absent' | 'too_many'>;
  deleteServiceAccountSecret(
    by: ChangedBy,
    accountId: string,
    serviceAccountId: string,
    secretId: string,
  ): Promise<'deleted' | 'absent'>;
  /** Moves `lastUsedAt` of service accounts and secrets forward, never back. Unknown ones are skipped. Not an access change. */
  recordServiceAccountUse(uses: readonly ServiceAccountUse[]): Promise<void>;
}
