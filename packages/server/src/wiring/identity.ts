/** Wires up the built-in identity provider. */

import { type AccountSettings, createAccountSettings } from '../identity/built-in/account-settings.ts';
import {
  builtInIssuer,
  createIdTokenIssuer,
  findKeyAmong,
  heldToUsers,
  type IdTokenIssuer,
} from '../identity/built-in/id-tokens.ts';
import { createInvitationMails, type InvitationMails } from '../identity/built-in/mails/invitation-mails.ts';
import { createPasswordHasher } from '../identity/built-in/passwords/password-hash.ts';
import type { PasswordIdentity } from '../identity/built-in/passwords/password-identity.ts';
import { createPasswordIdentity } from '../identity/built-in/passwords/passwords.ts';
import { createPendingSignIns, type PendingSignIns } from '../identity/built-in/pending-sign-ins.ts';
import { createSecondFactors, type SecondFactors } from '../identity/built-in/second-factors/second-factors.ts';
import { createIdTokenVerifier, type IdTokenVerifier } from '../identity/id-token.ts';
import type { SigningKeys } from '../oauth/signing-keys.ts';
import { createRecoveryKeys } from '../secrets/recovery-key.ts';
import { createSealer } from '../secrets/sealer.ts';
import { builtInIssuerName } from '../storage/contract/identity.ts';
import type { MailParts } from './mails.ts';
import { sealerOf, type Wiring } from './wiring.ts';

export interface BuiltInIdentityWiring extends Wiring {
  readonly mails: MailParts;
  /** The keys that sign ID tokens. */
  readonly keys: SigningKeys;
}

export interface BuiltInIdentity extends PendingSignIns {
  readonly idTokens: IdTokenIssuer;
  /** Verifies those ID tokens for the callback. */
  readonly verifier: IdTokenVerifier;
  readonly passwords: PasswordIdentity;
  readonly secondFactors: SecondFactors;
  readonly accountSettings: AccountSettings;
  /** Resolves when no mail is about to be stored. */
  settled(): Promise<unknown>;
}

/** Returns what sends invitations by mail. */
export function createOwnInvitationMails({ log }: Wiring, { queue, throttles }: MailParts): InvitationMails {
  return createInvitationMails({
    mails: queue,
    throttles,
    onFault: (error) => log.warn({ error }, 'an invitation could not be mailed'),
  });
}

/** Returns the built-in identity provider. The service must be listening, since tokens contain its address. */
export function createBuiltInIdentity(wiring: BuiltInIdentityWiring): BuiltInIdentity {
  const { store, config, log, secretKeys, keys, baseUrl, now } = wiring;
  const front = wiring.authFrontUrl;
  const { queue, throttles } = wiring.mails;
  const hasher = createPasswordHasher(wiring.argon2id && { compute: wiring.argon2id });
  const devices = createSealer(secretKeys, 'device');
  const tickets = sealerOf(wiring, 'ticket');
  const passwords = createPasswordIdentity({
    store,
    mails: queue,
    now,
    hasher,
    throttles,
    mailsPerHour: config.mailsPerHour,
    seals: devices,
    onFault: (error) => log.warn({ error }, 'a mail of the identity provider could not be stored'),
  });
  const verifier = createIdTokenVerifier({
    issuer: builtInIssuer(baseUrl()),
    audience: baseUrl(),
    findKey: findKeyAmong(keys),
    now,
  });
  return {
    idTokens: createIdTokenIssuer({ keys, baseUrl, authFrontUrl: front, now }),
    verifier: heldToUsers(verifier, store),
    passwords,
    secondFactors: createSecondFactors({
      store,
      throttles,
      tickets,
      devices,
      secrets: createSealer(secretKeys, 'second-factor'),
      recoveryKeys: createRecoveryKeys(store, secretKeys),
      issuer: builtInIssuerName,
      label: () => `Holdfast (${new URL(front()).hostname})`,
      now,
    }),
    accountSettings: createAccountSettings({ store, hasher, now }),
    ...createPendingSignIns({ store, ...tickets, now }),
    settled: () => passwords.settled(),
  };
}
