/** Records of service accounts: non-human identities of an account. */
import type { Authority } from '@holdfast/contract';

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
