/**
 * Second factors of developers: an authenticator app, with recovery codes as a replacement. A passkey needs neither, since the device
 * verifies its user.
 *
 * @see docs/sign-in-security.md
 */
import type { Sealer } from '../../../common/secrets/sealer.ts';
import { plainCode } from '../../../common/text/typed-code.ts';
import type { Store } from '../../../storage/store.ts';
import { type Browser, createTickets } from '../../tickets.ts';
import { isKnownTo, readDevice } from '../device-token.ts';
import { type Directory, directoryKey, type Person, type Requester, type Throttled } from '../directory.ts';
import { directoryName } from '../passwords/password-shared.ts';
import { type Charge, limits, type Throttles } from '../throttles.ts';
import { newRecoveryCodes, parseRecoveryCode, recoveryHash } from './recovery-codes.ts';
import { enrolApp, newTotpSecret, stepOfCode, type TotpEnrolment } from './totp.ts';

/** A second factor that is being set up. It counts once a code of the app was entered. */
export interface SetUp extends TotpEnrolment {
  /** Must be returned with the code. */
  readonly ticket: string;
}

type ConfirmOutcome =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: readonly string[] }
  /** The same set-up, for another try. */
  | { readonly kind: 'wrong_code'; readonly setUp: SetUp }
  /** Expired, of another browser or person, or already set up. */
  | { readonly kind: 'expired' };

/** The kind of a right code. `left` is the number of unused recovery codes. */
type CheckOutcome =
  | { readonly kind: 'right'; readonly method: 'otp' | 'recovery'; readonly left: number }
  | { readonly kind: 'wrong' }
  | Throttled;

export interface SecondFactors {
  /** Returns a person's second factor; undefined if none is set up. */
  find(
    directory: Directory,
    userId: string,
  ): Promise<{ readonly createdAt: number; readonly recoveryCodes: number } | undefined>;
  /** Whether somebody must have a second factor to sign in. */
  isRequired(directory: Directory, userId: string): Promise<boolean>;
  begin(directory: Directory, browser: Browser, person: Person): Promise<SetUp>;
  /** Sets up the second factor of a ticket, confirmed by a first code of the app. */
  confirm(
    directory: Directory,
    browser: Browser,
    person: Person,
    answer: { readonly ticket: string; readonly code: string },
  ): Promise<ConfirmOutcome>;
  /** Checks a code, and uses it up. After five wrong codes the next one must wait. */
  check(requester: Requester, userId: string, code: string): Promise<CheckOutcome>;
  /** Replaces all recovery codes; undefined without a second factor. */
  renewRecoveryCodes(directory: Directory, userId: string): Promise<readonly string[] | undefined>;
  remove(directory: Directory, userId: string): Promise<'removed' | 'absent'>;
}

export interface SecondFactorsOptions {
  readonly store: Pick<
    Store,
    | 'findSecondFactor'
    | 'addSecondFactor'
    | 'useSecondFactorStep'
    | 'useRecoveryCode'
    | 'replaceRecoveryCodes'
    | 'removeSecondFactor'
    | 'mustHaveSecondFactor'
    | 'spendTicket'
    | 'findUser'
  >;
  readonly throttles: Throttles;
  /** For tickets. */
  readonly tickets: Sealer;
  /** Seals the secrets of apps. */
  readonly secrets: Sealer;
  /** For device tokens. */
  readonly devices: Sealer;
  /** Returns keys of 32 bytes used for nothing else. The first makes hashes; hashes made with any of them are recognized. */
  readonly recoveryKeys: () => Promise<readonly [Uint8Array, ...Uint8Array[]]>;
  /** The directory key of developers in the tables. */
  readonly issuer: string;
  /** The issuer name shown by apps. */
  readonly label: () => string;
  readonly now: () => number;
}

/** The content of a set-up ticket. It includes the app's secret, sealed with the rest. */
interface SetUpTicket {
  readonly accountId: string | null;
  readonly userId: string;
  readonly secret: string;
  readonly begunAt: number;
}

/** Names the owner of a secret or code. */
const ownerKey = (accountId: string | null, userId: string) => JSON.stringify([accountId, userId]);

/** Returns set-up, checks and removal of second factors. */
export function createSecondFactors(options: SecondFactorsOptions): SecondFactors {
  const { store } = options;
  const hashesOf: HashesOf = async (accountId, userId, codes) => {
    const [key] = await options.recoveryKeys();
    return codes.map((code) => hashOf(key, accountId, userId, code));
  };
  return {
    async find(directory, userId) {
      const found = await store.findSecondFactor(directoryKey(directory), userId);
      return found && { createdAt: found.createdAt, recoveryCodes: found.recoveryCodes };
    },
    isRequired: async (directory, userId) =>
      directory.kind === 'developers' && (await store.mustHaveSecondFactor(options.issuer, userId)),
    ...setUps(options, hashesOf),
    check: (requester, userId, code) => check(options, requester, userId, code),
    async renewRecoveryCodes(directory, userId) {
      const accountId = directoryKey(directory);
      const codes = newRecoveryCodes();
      const outcome = await store.replaceRecoveryCodes(accountId, userId, await hashesOf(accountId, userId, codes));
      return outcome === 'replaced' ? codes : undefined;
    },
    remove: (directory, userId) => store.removeSecondFactor(directoryKey(directory), userId),
  };
}

type HashesOf = (accountId: string | null, userId: string, codes: readonly string[]) => Promise<readonly Uint8Array[]>;

function hashOf(key: Uint8Array, accountId: string | null, userId: string, code: string): Uint8Array {
  return recoveryHash(key, ownerKey(accountId, userId), parseRecoveryCode(code) ?? '');
}

function setUps(options: SecondFactorsOptions, hashesOf: HashesOf): Pick<SecondFactors, 'begin' | 'confirm'> {
  const { store, now } = options;
  const tickets = createTickets<SetUpTicket>({ ...options.tickets, kind: 'second factor', store, now });
  const labelOf = ({ email, name, userId }: Person) => ({ issuer: options.label(), name: email ?? name ?? userId });
  return {
    async begin(directory, browser, person) {
      const secret = newTotpSecret();
      const content = {
        accountId: directoryKey(directory),
        userId: person.userId,
        secret: Buffer.from(secret).toString('base64url'),
        begunAt: now(),
      };
      const ticket = tickets.issue(browser, content);
      if (ticket === undefined) throw new TypeError('a ticket of a second factor is too long');
      return { ...(await enrolApp(secret, labelOf(person))), ticket };
    },
    async confirm(directory, browser, person, { ticket, code }) {
      const opened = tickets.open(browser, ticket);
      const accountId = directoryKey(directory);
      if (opened === undefined) return { kind: 'expired' };
      const { content } = opened;
      if (content.accountId !== accountId || content.userId !== person.userId) return { kind: 'expired' };
      const secret = Buffer.from(content.secret, 'base64url');
      const step = await stepOfCode(secret, plainCode(code), now());
      if (step === undefined) {
        return { kind: 'wrong_code', setUp: { ...(await enrolApp(secret, labelOf(person))), ticket } };
      }
      if (!(await opened.spend())) return { kind: 'expired' };
      const { userId, begunAt } = content;
      const sealedSecret = options.secrets.seal(secret, ownerKey(accountId, userId));
      const recoveryCodes = newRecoveryCodes();
      const factor = { accountId, userId, sealedSecret, createdAt: begunAt, lastStep: step };
      const outcome = await store.addSecondFactor(factor, await hashesOf(accountId, userId, recoveryCodes));
      return outcome === 'added' ? { kind: 'confirmed', recoveryCodes } : { kind: 'expired' };
    },
  };
}

/**
 * A string that cannot be a code does not count as a try. A code of the app is counted before it is compared, so that parallel tries cannot
 * exceed the limit. Recovery codes are not counted: 80 bits cannot be guessed, and they let the owner in regardless of others' tries.
 */
async function check(
  options: SecondFactorsOptions,
  requester: Requester,
  userId: string,
  typed: string,
): Promise<CheckOutcome> {
  const { store, throttles } = options;
  const accountId = directoryKey(requester.directory);
  const digits = plainCode(typed);
  const method = /^[0-9]{6}$/.test(digits) ? 'otp' : 'recovery';
  if (method === 'recovery' && parseRecoveryCode(typed) === undefined) return { kind: 'wrong' };
  const charges = method === 'otp' ? await chargesOf(options, requester, userId) : [];
  const wait = await throttles.take(charges);
  if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };
  const factor = await store.findSecondFactor(accountId, userId);
  if (factor === undefined) return { kind: 'wrong' };
  const isRight =
    method === 'otp'
      ? await useStep(options, accountId, userId, factor.sealedSecret, digits)
      : await useRecovery(options, accountId, userId, typed);
  if (!isRight) return { kind: 'wrong' };
  throttles.uncharge(charges);
  return { kind: 'right', method, left: factor.recoveryCodes - (method === 'recovery' ? 1 : 0) };
}

async function useStep(
  { store, secrets, now }: SecondFactorsOptions,
  accountId: string | null,
  userId: string,
  sealedSecret: Uint8Array,
  code: string,
): Promise<boolean> {
  const step = await stepOfCode(secrets.open(sealedSecret, ownerKey(accountId, userId)), code, now());
  return step !== undefined && (await store.useSecondFactorStep(accountId, userId, step)) === 'used';
}

async function useRecovery(
  options: SecondFactorsOptions,
  accountId: string | null,
  userId: string,
  typed: string,
): Promise<boolean> {
  if (parseRecoveryCode(typed) === undefined) return false;
  for (const key of await options.recoveryKeys()) {
    const outcome = await options.store.useRecoveryCode(accountId, userId, hashOf(key, accountId, userId, typed));
    if (outcome === 'used') return true;
  }
  return false;
}

/** A device from which the user has signed in has its own count, so that somebody with the password cannot use up the user's tries. */
async function chargesOf(
  { store, devices, now }: SecondFactorsOptions,
  requester: Requester,
  userId: string,
): Promise<Charge[]> {
  const user = await store.findUser(directoryKey(requester.directory), userId);
  const device = readDevice(devices, requester.deviceToken);
  if (user !== undefined && isKnownTo(device, user, now())) {
    return [
      [limits.codesOfDevice, device.deviceId, userId],
      [limits.codesOfDeviceInADay, device.deviceId, userId],
    ];
  }
  const owner = [directoryName(requester), userId] as const;
  return [
    [limits.codesOfStranger, ...owner, requester.address],
    [limits.codesOfStrangerInADay, ...owner, requester.address],
    [limits.codesOfStrangersInADay, ...owner],
    [limits.failuresOfAddress, requester.address],
  ];
}
