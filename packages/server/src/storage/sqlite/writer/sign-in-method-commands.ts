/** What the main thread asks of the writer thread about passkeys, providers, who came through them, and tickets. */
import type {
  FederatedIdentity,
  FederatedProfile,
  FederatedUser,
  IdentityProvider,
  NewIdentityProvider,
} from '../../federation-store.ts';
import type { Passkey } from '../../passkey-store.ts';

/** Of these, `usePasskey` is one writing statement. */
export interface SignInMethodCommands {
  spendTicket(ticketHash: Uint8Array, expiresAt: number, now: number): 'spent' | 'replayed';
  addPasskey(passkey: Passkey, passkeysMax: number): 'added' | 'already_exists' | 'no_user' | 'too_many';
  usePasskey(accountId: string | null, credentialId: string, counter: number, usedAt: number): 'used' | 'stale' | 'absent';
  writeIdentityProvider(provider: NewIdentityProvider, providersMax: number): IdentityProvider | 'no_account' | 'too_many';
  deleteIdentityProvider(accountId: string, providerId: string): 'deleted' | 'absent';
  signInFederatedUser(
    identity: FederatedIdentity,
    profile: FederatedProfile,
    created: { readonly userId: string; readonly createdAt: number },
  ): FederatedUser | 'no_account';
  deleteUser(accountId: string, userId: string): 'deleted' | 'absent';
}
