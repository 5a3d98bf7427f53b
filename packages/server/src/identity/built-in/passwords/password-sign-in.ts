/** Sign-in by email and password. */
import { asciiKey, type EmailAddress, parseEmail } from '../../../common/text/email-address.ts';
import type { PendingSignUp, User } from '../../../storage/contract/identity.ts';
import { isKnownTo, readDevice } from '../device-token.ts';
import { directoryKey, type Requester } from '../directory.ts';
import { type Charge, limits } from '../throttles.ts';
import type { PasswordIdentity, SignInOutcome } from './password-identity.ts';
import {
  directoryName,
  mailCharges,
  ownerOf,
  type PasswordDependencies,
  signedIn,
  takeCode,
  throttled,
} from './password-shared.ts';
import { type ExistingUser, startSignUp } from './password-sign-up.ts';

/** Returns sign-in with passwords. */
export function createSignIn(dependencies: PasswordDependencies): Pick<PasswordIdentity, 'signIn'> {
  const { store, hasher, throttles, now } = dependencies;

  /** Reading them in sequence would reveal by its time whether the user exists. */
  async function find(requester: Requester, address: EmailAddress | undefined) {
    if (address === undefined) return [];
    const directory = directoryKey(requester.directory);
    return Promise.all([
      store.findUserByEmail(directory, address.emailKey),
      store.findSignUpByEmail(directory, address.emailKey, now()),
    ]);
  }

  return {
    async signIn(requester, { email, password, returnQuery }) {
      const address = parseEmail(email);
      const [user, pending] = await find(requester, address);
      const charges = guessCharges(dependencies, requester, address, user);
      const wait = await throttles.take(charges);
      if (wait !== undefined) return throttled(wait);

      const { passwordHash } = user ?? pending ?? { passwordHash: null };
      const verification = await hasher.verify(ownerOf(requester), password, passwordHash, user && pending?.passwordHash);
      if (verification === 'wrong') return { kind: 'rejected' };
      throttles.uncharge(charges);
      if (verification === 'busy') return { kind: 'busy' };
      if (user === undefined || verification === 'twin') {
        return confirmFirst(dependencies, requester, pending as PendingSignUp, user && { user, returnQuery });
      }
      // A reset ends every session of the old password, even one whose password was being compared.
      const current = await store.findUser(directoryKey(requester.directory), user.userId);
      if (current?.resetAt !== user.resetAt) return { kind: 'rejected' };
      if (verification === 'outdated')
        dependencies.afterAnswer(ownerOf(requester), () => rehash(dependencies, requester, user, password));
      return signedIn(dependencies, requester, user);
    },
  };
}

/**
 * Returns the throttles that count a guess. A device from which the user has signed in has its own count, so strangers cannot use up the
 * user's attempts.
 */
function guessCharges(
  { seals, now }: PasswordDependencies,
  requester: Requester,
  address: EmailAddress | undefined,
  user: User | undefined,
): Charge[] {
  const ofAddress: Charge = [limits.failuresOfAddress, requester.address];
  if (address === undefined) return [ofAddress];
  const device = readDevice(seals, requester.deviceToken);
  if (user !== undefined && isKnownTo(device, user, now())) {
    return [[limits.guessesOfDevice, device.deviceId, user.userId]];
  }
  const whom = [directoryName(requester), asciiKey(address.emailKey)] as const;
  return [[limits.guessesFromAddress, ...whom, requester.address], ofAddress, [limits.guessesOfStrangers, ...whom]];
}

/**
 * The right password of a sign-up whose code was not entered: another code is mailed. A sign-up with the address of an existing account
 * gets the same response. Otherwise the response would reveal which addresses have an account.
 */
async function confirmFirst(
  dependencies: PasswordDependencies,
  requester: Requester,
  pending: PendingSignUp,
  holder: ExistingUser | undefined,
): Promise<SignInOutcome> {
  const charges = mailCharges(dependencies, requester, 'code', pending.emailKey);
  const wait = await takeCode(dependencies, requester, pending.emailKey, charges);
  if (wait !== undefined) return throttled(wait);
  const signUp = await startSignUp(dependencies, requester, pending, holder, charges);
  return signUp === 'busy' ? { kind: 'busy' } : { kind: 'unconfirmed', signUp };
}

/** Hashes a password at today's cost. If too much is waiting, the next sign-in does it. */
async function rehash(
  dependencies: PasswordDependencies,
  requester: Requester,
  user: User,
  password: string,
): Promise<void> {
  const next = await dependencies.hasher.hash(ownerOf(requester), password);
  if (next !== 'busy') await dependencies.store.replacePasswordHash(user, user.passwordHash as string, next);
}
