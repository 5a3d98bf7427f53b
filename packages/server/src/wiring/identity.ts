/** Wires the built-in identity provider together. */
import { join } from 'node:path';
import {
  builtInIssuer,
  createIdTokenIssuer,
  findKeyAmong,
  heldToUsers,
  type IdTokenIssuer,
} from '../identity/built-in/id-tokens.ts';
import { createMailer } from '../identity/built-in/mail.ts';
import { createPasswordHasher } from '../identity/built-in/password-hash.ts';
import type { PasswordIdentity } from '../identity/built-in/password-identity.ts';
import { createPasswordIdentity } from '../identity/built-in/passwords.ts';
import { createThrottles } from '../identity/built-in/throttles.ts';
import { createIdTokenVerifier, type IdTokenVerifier } from '../identity/id-token.ts';
import { windowOpener } from '../limits/shared-window.ts';
import type { SigningKeys } from '../oauth/signing-keys.ts';
import { createSealer } from '../secrets/sealer.ts';
import { authFrontUrl, type Wiring } from './wiring.ts';

/** How long a stop waits for mails that are under way. */
const settleMilliseconds = 5_000;

export interface BuiltInIdentityWiring extends Wiring {
  /** Those that sign ID tokens. */
  readonly keys: SigningKeys;
}

export interface BuiltInIdentity {
  readonly idTokens: IdTokenIssuer;
  /** Verifies those ID tokens, as the callback needs it. */
  readonly verifier: IdTokenVerifier;
  readonly passwords: PasswordIdentity;
  /** Waits a little for mails that are under way. */
  close(): Promise<void>;
}

/** Returns the built-in identity provider. The service must be listening, since its address is in the tokens. */
export function createBuiltInIdentity(wiring: BuiltInIdentityWiring): BuiltInIdentity {
  const { store, config, log, secretKey, keys, baseUrl, now } = wiring;
  const front = () => authFrontUrl(wiring);
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outboxFolder: join(config.dataDir, 'outbox'),
    onWritten: (path) => log.info({ path }, 'a mail was written to a file, since SVC_SMTP_URL is not set'),
    now,
  });
  const passwords = createPasswordIdentity({
    store,
    mailer,
    authFrontUrl: front,
    now,
    hasher: createPasswordHasher(),
    throttles: createThrottles(windowOpener(store), now),
    seals: createSealer(secretKey, 'device'),
    onFault: (error) => log.warn({ error }, 'a mail of the identity provider could not be sent'),
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
    async close() {
      const patience = AbortSignal.timeout(settleMilliseconds);
      const tired = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve()));
      await Promise.race([passwords.settled(), tired]);
    },
  };
}
