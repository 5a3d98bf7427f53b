/**
 * Sign-up: a code is mailed to the address, and entering it creates the user. Every address of an account therefore belongs to its user,
 * and a sign-up continues in the tab where it started.
 *
 * If the address already has an account, only the mail differs, and no code is right. An address that could be mistaken for another is
 * refused, unless a user of an older release has it.
 */

import { randomBytes } from 'node:crypto';
import { randomIdentifier } from '../../../common/ids/base62.ts';
import { hashIfSecret, hashSecret } from '../../../common/secrets/secret-text.ts';
import { asciiKey, isDeceptiveEmail, parseEmail } from '../../../common/text/email-address.ts';
import type { ConfirmSignUpOutcome, PendingSignUp, User } from '../../../storage/contract/identity.ts';
import { hashCode, newCode } from '../codes.ts';
import { directoryKey, type Requester } from '../directory.ts';
import type { MailDraft } from '../mails/mail-drafts.ts';
import { type Charge, limits } from '../throttles.ts';
import type { Expired, PasswordIdentity } from './password-identity.ts';
import { nameFaults, passwordFaults } from './password-rules.ts';
import {
  directoryName,
  hashedSecret,
  mailCharges,
  ownerOf,
  type PasswordDependencies,
  queueMail,
  signedIn,
  takeCode,
  throttled,
} from './password-shared.ts';

const codeMinutes = 15;
const attemptsMax = 5;

const expired: Expired = { kind: 'expired' };

type Applicant = Pick<PendingSignUp, 'email' | 'emailKey' | 'name' | 'passwordHash'>;

/** Returns sign-up: beginning it, entering its code, and requesting another code. */
export function createSignUp(
  dependencies: PasswordDependencies,
): Pick<PasswordIdentity, 'signUp' | 'confirm' | 'confirmFor' | 'resendCode' | 'mailStatus'> {
  const { store, hasher, throttles, now } = dependencies;

  return {
    async signUp(requester, { email: typed, password, name: typedName, returnQuery }) {
      const address = parseEmail(typed);
      const name = typedName?.trim() || null;
      const faults = [...(await passwordFaults(password, address?.email)), ...nameFaults(name)];
      if (address === undefined) return { kind: 'invalid', faults: ['email_malformed', ...faults] };
      if (faults.length > 0) return { kind: 'invalid', faults };
      const charges = mailCharges(dependencies, requester, 'code', address.emailKey);
      const wait = await takeCode(dependencies, requester, address.emailKey, charges);
      if (wait !== undefined) return throttled(wait);

      const user = await store.findHolderOfEmail(directoryKey(requester.directory), address.emailKey);
      if (user === undefined && isDeceptiveEmail(address.email)) {
        throttles.uncharge(charges);
        return refuseDeceptive(dependencies, requester);
      }
      // A twin of the user's hash, so that one computation at sign-in compares with both.
      const passwordHash = await hasher.hash(ownerOf(requester), password, user?.passwordHash ?? undefined);
      if (passwordHash === 'busy') {
        throttles.uncharge(charges);
        return { kind: 'busy' };
      }
      const { email, emailKey } = address;
      // All sign-ups with an address have one key, so parallel ones cannot succeed.
      const applicant = { email, emailKey: asciiKey(emailKey), name, passwordHash };
      const signUp = await startSignUp(dependencies, requester, applicant, user && { user, returnQuery }, charges);
      return signUp === 'busy' ? { kind: 'busy' } : { kind: 'code_sent', signUp };
    },

    async confirm(requester, form) {
      const newUser = { userId: `usr_${randomIdentifier()}`, createdAt: now() };
      const outcome = await tryCode(dependencies, requester, form, (...code) =>
        store.confirmSignUp(...code, newUser, now()),
      );
      return outcome.kind === 'confirmed' ? signedIn(dependencies, requester, outcome.user) : outcome;
    },

    async confirmFor(requester, userId, form) {
      const directory = directoryKey(requester.directory);
      const outcome = await tryCode(dependencies, requester, form, (...code) =>
        store.confirmPassword(directory, userId, ...code, now()),
      );
      return outcome.kind === 'confirmed' ? { kind: 'added' } : outcome;
    },

    resendCode: (...request) => resendCode(dependencies, ...request),

    async mailStatus(signUp, isPatient) {
      const mailHash = hashIfSecret(signUp);
      return mailHash === undefined ? { kind: 'sent' } : dependencies.mails.statusOf(mailHash, isPatient);
    },
  };
}

async function resendCode(
  dependencies: PasswordDependencies,
  ...[requester, signUp, returnQuery]: Parameters<PasswordIdentity['resendCode']>
): ReturnType<PasswordIdentity['resendCode']> {
  const { store, now } = dependencies;
  const found = await findHere(dependencies, requester, signUp);
  if (found === undefined) return { kind: 'expired' };
  const charges = mailCharges(dependencies, requester, 'code', found.emailKey);
  const wait = await takeCode(dependencies, requester, found.emailKey, charges);
  if (wait !== undefined) return throttled(wait);
  const user = await store.findHolderOfEmail(found.accountId, found.emailKey);
  const { codeHash, draft } = await newCodeFor(dependencies, requester, signUp, found, user && { user, returnQuery });
  const mailHash = hashSecret(signUp);
  const expiresAt = now() + codeMinutes * 60_000;
  const next = { codeHash, attemptsLeft: attemptsMax, expiresAt };
  if ((await store.renewSignUp(mailHash, next, now())) === 'unknown') return { kind: 'expired' };
  const { emailKey } = found;
  const outcome = await queueMail(dependencies, requester, { mailHash, emailKey, draft, expiresAt, charges });
  return outcome === 'busy' ? { kind: 'busy' } : { kind: 'code_sent', signUp };
}

/** The response for an address without a user. It reveals that, so it counts like a wrong guess. */
async function refuseDeceptive({ throttles }: PasswordDependencies, requester: Requester) {
  const wait = await throttles.take([[limits.failuresOfAddress, requester.address]]);
  return wait === undefined ? ({ kind: 'invalid', faults: ['email_deceptive'] } as const) : throttled(wait);
}

/** Returns a sign-up of this requester's directory. */
async function findHere(
  { store, now }: PasswordDependencies,
  requester: Requester,
  signUp: string,
): Promise<PendingSignUp | undefined> {
  const signUpHash = hashIfSecret(signUp);
  const found = signUpHash && (await store.findSignUp(signUpHash, now()));
  return found?.accountId === directoryKey(requester.directory) ? found : undefined;
}

/**
 * Tries a code. A wrong one uses up an attempt of its sign-up, which only the browser that began it can name, and counts for the client
 * address. It does not count for the email address, which would lock out the owner.
 */
async function tryCode(
  dependencies: PasswordDependencies,
  requester: Requester,
  { signUp, code }: { readonly signUp: string; readonly code: string },
  confirm: (signUpHash: Uint8Array, codeHash: Uint8Array) => Promise<ConfirmSignUpOutcome>,
) {
  const found = await findHere(dependencies, requester, signUp);
  const outcome = found && (await confirm(hashSecret(signUp), hashCode(signUp, code)));
  if (outcome === undefined || outcome.kind === 'unknown') return expired;
  if (outcome.kind === 'wrong_code') await dependencies.throttles.take([[limits.failuresOfAddress, requester.address]]);
  return outcome;
}

/** The user that already has the address, and where sign-in continues after the link in the mail. */
export interface ExistingUser {
  readonly user: User;
  readonly returnQuery: string;
}

/** Stores a sign-up and its mail, and returns its secret; `busy`, with the charges refunded, if too many mails wait. */
export async function startSignUp(
  dependencies: PasswordDependencies,
  requester: Requester,
  { email, emailKey, name, passwordHash }: Applicant,
  holder: ExistingUser | undefined,
  charges: readonly Charge[],
): Promise<string | 'busy'> {
  const { store, now } = dependencies;
  const { secret, secretHash } = hashedSecret();
  const expiresAt = now() + codeMinutes * 60_000;
  const { codeHash, draft } = await newCodeFor(dependencies, requester, secret, { email, emailKey }, holder);
  const outcome = await store.addSignUp(secretHash, {
    accountId: directoryKey(requester.directory),
    email,
    emailKey,
    name,
    passwordHash,
    codeHash,
    attemptsLeft: attemptsMax,
    createdAt: now(),
    expiresAt,
  });
  if (outcome === 'no_account') return secret;
  const queued = await queueMail(dependencies, requester, { mailHash: secretHash, emailKey, draft, expiresAt, charges });
  return queued === 'busy' ? queued : secret;
}

/** Returns the stored form of a new code, and its mail. If the address has an account, the stored form is a hash that no code has. */
async function newCodeFor(
  dependencies: PasswordDependencies,
  requester: Requester,
  secret: string,
  { email, emailKey }: Pick<PendingSignUp, 'email' | 'emailKey'>,
  holder: ExistingUser | undefined,
): Promise<{ readonly codeHash: Uint8Array; readonly draft: MailDraft }> {
  const { language, brandName, project } = requester;
  const wait = await dependencies.throttles.take([[limits.shortCodesTo, directoryName(requester), asciiKey(emailKey)]]);
  if (holder !== undefined) {
    const { user, returnQuery } = holder;
    const { accountId, userId } = user;
    const draft = { kind: 'known', language, brandName, project, accountId, userId, returnQuery } as const;
    return { codeHash: randomBytes(32), draft };
  }
  const code = newCode(wait === undefined ? 'short' : 'long');
  return { codeHash: hashCode(secret, code), draft: { kind: 'code', language, brandName, project, to: email, code } };
}
