/**
 * Passkeys. The address of the login page is one relying party for all directories, so a browser may offer a passkey of another directory.
 * A credential is valid only in the directory where it was registered.
 *
 * @see Web Authentication Level 3 §7
 */

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { Sealer } from '../../common/secrets/sealer.ts';
import type { User } from '../../storage/contract/identity.ts';
import type { Passkey } from '../../storage/contract/own-methods.ts';
import type { Store } from '../../storage/store.ts';
import { type Browser, createTickets } from '../tickets.ts';
import { type Directory, directoryKey, type Person, type Proof } from './directory.ts';

/** The options for the browser's API, and the ticket that must be returned with its response. */
interface Ceremony<Options> {
  readonly options: Options;
  readonly ticket: string;
}

/** The returned values. `credential` is the parsed JSON of the browser's response. */
interface CeremonyAnswer {
  readonly ticket: string;
  readonly credential: unknown;
}

type Rejected = { readonly kind: 'rejected' };
/** `expired`: the page was open for longer than its ticket is valid. */
type PasskeySignInOutcome =
  | { readonly kind: 'signed_in'; readonly person: Person }
  | { readonly kind: 'expired' }
  | Rejected;
/** `provenBefore` is the earlier proof, from before the passkey was used. */
type PasskeyRegistrationOutcome =
  | { readonly kind: 'registered'; readonly person: Person; readonly provenBefore: Proof }
  | Rejected;

export interface Passkeys {
  /** Whether browsers allow passkeys at the address of the login page. They do not if its host is an IP address. */
  isUsable(): boolean;
  signInOptions(directory: Directory, browser: Browser): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>>;
  /** Signs in the owner of the passkey. If a ticket is used in parallel, one use succeeds. */
  signIn(directory: Directory, browser: Browser, answer: CeremonyAnswer): Promise<PasskeySignInOutcome>;
  /** For a user freshly signed in with this browser. */
  registrationOptions(
    directory: Directory,
    browser: Browser,
    person: Person,
    provenBefore: Proof,
  ): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>>;
  /** `rejected` also for a user without a proven address, whose provider must be asked at each sign-in. */
  register(directory: Directory, browser: Browser, answer: CeremonyAnswer): Promise<PasskeyRegistrationOutcome>;
  has(directory: Directory, userId: string): Promise<boolean>;
}

export interface PasskeysOptions extends Sealer {
  readonly store: Pick<Store, 'addPasskey' | 'findPasskey' | 'listPasskeys' | 'usePasskey' | 'spendTicket' | 'findUser'>;
  /** Address of the login page, without a trailing slash. */
  readonly authFrontUrl: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Challenge {
  readonly challenge: string;
  readonly accountId: string | null;
}
interface RegistrationChallenge extends Challenge {
  readonly userId: string;
  readonly begunAt: number;
  readonly sofar: Proof;
}

const ceremonyMilliseconds = 10 * 60_000;
const passkeysMax = 20;
/** EdDSA, ES256, RS256, in order of preference. @see RFC 9053 §2, RFC 8812 §2 */
const algorithms = [-8, -7, -257];
const rejected: Rejected = { kind: 'rejected' };
const newChallenge = (): string => randomBytes(32).toString('base64url');

/** Returns passkeys for the address of the login page. */
export function createPasskeys(options: PasskeysOptions): Passkeys {
  const { store, authFrontUrl } = options;
  const party = (): RelyingParty => {
    const { origin, hostname } = new URL(authFrontUrl());
    return { origin, id: hostname };
  };
  return {
    isUsable: () => isIP(party().id.replace(/^\[|\]$/g, '')) === 0,
    has: async (directory, userId) => (await store.listPasskeys(directoryKey(directory), userId)).length > 0,
    ...signIns(options, party),
    ...registrations(options, party),
  };
}

interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

function signIns(options: PasskeysOptions, party: () => RelyingParty): Pick<Passkeys, 'signInOptions' | 'signIn'> {
  const { store, now } = options;
  const tickets = createTickets<Challenge>({ ...options, kind: 'passkey sign-in' });
  return {
    /** Written by hand, so that the login page does not load the library, which is loaded for the first passkey. */
    async signInOptions(directory, browser) {
      const challenge = newChallenge();
      const ticket = tickets.issue(browser, { challenge, accountId: directoryKey(directory) }) as string;
      const userVerification = 'required';
      return { ticket, options: { challenge, rpId: party().id, timeout: ceremonyMilliseconds, userVerification } };
    },
    async signIn(directory, browser, { ticket, credential }) {
      const accountId = directoryKey(directory);
      const opened = tickets.open(browser, ticket);
      if (opened === undefined) return tickets.hasExpired(browser, ticket) ? { kind: 'expired' } : rejected;
      if (opened.content.accountId !== accountId || !hasResponse(credential)) return rejected;
      const key = { accountId, credentialId: credential.id };
      const passkey = await store.findPasskey(key);
      const user = passkey && (await store.findUser(accountId, passkey.userId));
      if (passkey === undefined || user === undefined) return rejected;
      const response = credential as AuthenticationResponseJSON;
      if (response.response.userHandle !== userHandle(passkey.userId)) return rejected;
      const counter = await verifiedCounter(response, opened.content.challenge, party(), passkey);
      if (counter === undefined || !(await opened.spend())) return rejected;
      if ((await store.usePasskey(key, counter, now())) !== 'used') return rejected;
      return { kind: 'signed_in', person: personOf(user) };
    },
  };
}

function registrations(
  options: PasskeysOptions,
  party: () => RelyingParty,
): Pick<Passkeys, 'registrationOptions' | 'register'> {
  const { store, now } = options;
  const tickets = createTickets<RegistrationChallenge>({ ...options, kind: 'passkey registration' });
  return {
    async registrationOptions(directory, browser, { userId, email, name }, provenBefore) {
      const accountId = directoryKey(directory);
      const challenge = newChallenge();
      const ticket = tickets.issue(browser, {
        challenge,
        accountId,
        userId,
        begunAt: now(),
        sofar: provenBefore,
      }) as string;
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const { id } = party();
      const present = await store.listPasskeys(accountId, userId);
      const creation = await generateRegistrationOptions({
        rpID: id,
        rpName: id,
        userID: new TextEncoder().encode(userId),
        userName: email ?? name ?? userId,
        userDisplayName: name ?? email ?? userId,
        challenge: Buffer.from(challenge, 'base64url'),
        timeout: ceremonyMilliseconds,
        excludeCredentials: present.map(({ credentialId, transports }) => ({
          id: credentialId,
          transports: [...transports],
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      });
      return { options: creation, ticket };
    },
    async register(directory, browser, { ticket, credential }) {
      const accountId = directoryKey(directory);
      const opened = tickets.open(browser, ticket);
      if (opened === undefined || opened.content.accountId !== accountId || !hasResponse(credential)) return rejected;
      const { challenge, userId, begunAt, sofar: provenBefore } = opened.content;
      const user = await store.findUser(accountId, userId);
      if (user === undefined) return rejected;
      const created = await verifiedCredential(credential as RegistrationResponseJSON, challenge, party());
      if (created === undefined || !(await opened.spend())) return rejected;
      // The store refuses it if the password was reset in the meantime, since the old password began it.
      const passkey: Passkey = { accountId, userId, ...created, createdAt: begunAt, lastUsedAt: null };
      if ((await store.addPasskey(passkey, passkeysMax)) !== 'added') return rejected;
      return { kind: 'registered', person: personOf(user), provenBefore };
    },
  };
}

/** Only users with a proven address have passkeys. */
function personOf({ userId, email, emailKey, name }: User): Person {
  return { userId, email, emailVerified: emailKey !== null, name };
}

const userHandle = (userId: string): string => Buffer.from(userId).toString('base64url');

function hasResponse(credential: unknown): credential is { readonly id: string; readonly response: object } {
  if (typeof credential !== 'object' || credential === null) return false;
  const { id, response } = credential as { readonly id?: unknown; readonly response?: unknown };
  return typeof id === 'string' && typeof response === 'object' && response !== null;
}

/** Returns the counter of a signature that proves the passkey; undefined for an invalid signature. */
async function verifiedCounter(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  { id, origin }: RelyingParty,
  { credentialId, publicKey, counter }: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    });
    return verified && authenticationInfo.userVerified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined; // the library throws for any invalid response
  }
}

/** Returns the credential that an authenticator created; undefined for an invalid response. */
async function verifiedCredential(
  response: RegistrationResponseJSON,
  expectedChallenge: string,
  { id, origin }: RelyingParty,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.response.attestationObject, 'base64url'));
    if (hasCertificates(attestation)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credentialId, publicKey, counter, transports: transports.filter(isTransport).slice(0, 8) };
  } catch {
    return undefined; // the library throws for any invalid response
  }
}

/**
 * The service requests no attestation, so browsers send none. A forged one could make the service send requests to an address of the
 * attacker's choice.
 */
function hasCertificates(attestation: AttestationObject): boolean {
  return !['none', 'packed'].includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c') !== undefined;
}

/** Future browsers may name transports unknown today. */
const isTransport = (name: string): boolean => /^[a-z-]{1,20}$/.test(name);
