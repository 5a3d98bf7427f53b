/** Wires up the built-in identity provider. */
import {
  builtInIssuer,
  createIdTokenIssuer,
  findKeyAmong,
  heldToUsers,
  type IdTokenIssuer,
} from '../identity/built-in/id-tokens.ts';
import { createInvitationMails, type InvitationMails } from '../identity/built-in/mails/invitation-mails.ts';
import { createOwnAccount, type OwnAccount } from '../identity/built-in/own-account.ts';
import { createPasswordHasher } from '../identity/built-in/passwords/password-hash.ts';
import type { PasswordIdentity } from '../identity/built-in/passwords/password-identity.ts';
import { createPasswordIdentity } from '../identity/built-in/passwords/passwords.ts';
import { createPendingSignIns, type PendingSignIns } from '../identity/built-in/pending-sign-ins.ts';
import { createSecondFactors, type SecondFactors } from '../identity/built-in/second-factors/second-factors.ts';
import { createIdTokenVerifier, type IdTokenVerifier } from '../identity/id-token.ts';
import type { SigningKeys } from '../oauth/signing-keys.ts';
import { recoveryKeyOf } from '../secrets/recovery-key.ts';
import { createSealer } from '../secrets/sealer.ts';
import { SealFault } from '../secrets/secret-key.ts';
import { builtInIssuerName } from '../storage/contract/identity.ts';
import { type KeptKey, keptKeyPurpose, keptKeyRecord } from '../storage/contract/kept-keys.ts';
import type { MailParts } from './mails.ts';
import { sealerOf, type Wiring } from './wiring.ts';

/** How long a stop waits for mails being sent. */
const settleMilliseconds = 5_000;

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
  readonly ownAccount: OwnAccount;
  /** Waits a little for mails being sent. */
  close(): Promise<void>;
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
      recoveryKeys: recoveryKeysOf(wiring),
      issuer: builtInIssuerName,
      label: () => `Holdfast (${new URL(front()).hostname})`,
      now,
    }),
    ownAccount: createOwnAccount({ store, hasher, now }),
    ...createPendingSignIns({ store, ...tickets, now }),
    async close() {
      const timeout = AbortSignal.timeout(settleMilliseconds);
      const timedOut = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()));
      await Promise.race([passwords.settled(), timedOut]);
    },
  };
}

/** The recovery keys derived from the secret keys of this process, and those kept from earlier ones. */
function recoveryKeysOf({ store, secretKeys }: Wiring): () => Promise<readonly [Uint8Array, ...Uint8Array[]]> {
  const [first, ...others] = secretKeys;
  const own = [recoveryKeyOf(first), ...others.map(recoveryKeyOf)] as const;
  const keptKeys = createSealer(secretKeys, keptKeyPurpose);
  const opened = (key: KeptKey): Uint8Array[] => {
    try {
      return [keptKeys.open(key.sealedKey, keptKeyRecord(key))];
    } catch (error) {
      if (error instanceof SealFault) return []; // only its codes are lost
      throw error;
    }
  };
  return async () => [...own, ...(await store.listKeptKeys()).flatMap(opened)];
}
