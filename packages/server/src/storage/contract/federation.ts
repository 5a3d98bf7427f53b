/** Records of federation: the identity providers of an account, and the users who sign in through them. */
import type { IdentityProviderSettings } from '@holdfast/contract';

export interface IdentityProviderKey {
  readonly accountId: string;
  /** `google.com`, `oidc.company`, … */
  readonly providerId: string;
}

export interface IdentityProvider extends IdentityProviderKey {
  readonly settings: IdentityProviderSettings;
  /** The client secret or private key, encrypted; opaque to the store. Null if there is none. */
  readonly sealedSecret: Uint8Array | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewIdentityProvider extends IdentityProviderKey {
  readonly settings: IdentityProviderSettings;
  /** `keep` leaves the stored secret, if any, unchanged. */
  readonly sealedSecret: Uint8Array | null | 'keep';
  readonly writtenAt: number;
}

/** The record that a secret is sealed for. A secret given for one issuer does not open for another. */
export function providerSecretRecord({ accountId, providerId }: IdentityProviderKey, issuer: string | null): string {
  return JSON.stringify([accountId, providerId, issuer]);
}

/** How a provider identifies a user. */
export interface FederatedIdentity {
  /** The directory; null for the developers' directory. */
  readonly accountId: string | null;
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A provider's claims about a user. They are displayed, and never used to find a user. */
export interface FederatedProfile {
  readonly email: string | null;
  readonly name: string | null;
}

export interface FederatedUser extends FederatedProfile {
  readonly userId: string;
  /** Whether the user has proven the address to this service, so that it does not rest on the provider's word. */
  readonly isEmailProven: boolean;
}

/** A user of an account, as shown to developers. */
export interface ListedUser {
  readonly userId: string;
  readonly email: string | null;
  readonly name: string | null;
  /** `password`, and the ids of the providers that the user signs in through; sorted. */
  readonly providers: readonly string[];
  readonly createdAt: number;
}
