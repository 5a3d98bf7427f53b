/** What the login pages need. */

import type { MemberRole } from '@holdfast/contract';
import type { AccountSettings } from '../identity/built-in/account-settings.ts';
import type { Federation } from '../identity/built-in/federation/federation.ts';
import type { IdTokenIssuer } from '../identity/built-in/id-tokens.ts';
import type { Passkeys } from '../identity/built-in/passkeys.ts';
import type { PasswordIdentity } from '../identity/built-in/passwords/password-identity.ts';
import type { PendingSignIns } from '../identity/built-in/pending-sign-ins.ts';
import type { SecondFactors } from '../identity/built-in/second-factors/second-factors.ts';
import type { HandOver } from '../identity/hand-over.ts';
import type { Authorize } from '../oauth/authorize.ts';
import type { Account } from '../storage/contract/accounts.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { LegalLinks } from './document.ts';
import type { RememberedSignIns } from './session/remembered-sign-ins.ts';

/** An account that a developer can sign in to. */
export interface OfferedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: MemberRole;
}

/** What signs users in: the built-in identity provider, or an outside issuer with its own pages. */
export type SignInProvider =
  | (PendingSignIns & {
      readonly kind: 'built_in';
      readonly passwords: PasswordIdentity;
      readonly passkeys: Passkeys;
      readonly federation: Federation;
      readonly secondFactors: SecondFactors;
      readonly accountSettings: AccountSettings;
      readonly idTokens: Pick<IdTokenIssuer, 'issue'>;
    })
  | { readonly kind: 'outside'; readonly handOver: HandOver };

/** Data of the player whom a subject signs in, in one project. */
interface PlayerData {
  /** Returns all pieces of it, as JSON text. */
  export(project: ProjectKey, subject: string): Promise<AsyncIterable<string>>;
  /** Deletes all of it, and ends the player's tokens in the project. */
  erase(by: ChangedBy, project: ProjectKey, subject: string): Promise<void>;
}

export type BuiltIn = Extract<SignInProvider, { kind: 'built_in' }>;

export interface LoginDependencies {
  readonly authorize: Pick<Authorize, 'check' | 'findClient'>;
  readonly baseUrl: () => string;
  readonly authFrontUrl: () => string;
  /** Each of 32 bytes, used for nothing else. The first makes the proofs in forms; proofs made with any of them are accepted. */
  readonly csrfKeys: readonly Uint8Array[];
  readonly developerSignup: 'open' | 'closed';
  /** Returns the account of an invitation; undefined if the invitation is invalid. */
  readonly findInvitation: (
    token: string,
  ) => Promise<{ readonly account: Pick<Account, 'name' | 'requireSecondFactor'> } | undefined>;
  /** Returns the accounts of the developer in an ID token, in the order of joining; none if the token proves nothing. */
  readonly accountsOf: (idToken: string) => Promise<readonly OfferedAccount[]>;
  /** Records who signed in. */
  readonly rememberedSignIns: RememberedSignIns;
  readonly playerData: PlayerData;
  readonly legal: LegalLinks;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly loadProvider: () => Promise<SignInProvider>;
}
