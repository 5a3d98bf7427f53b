/** What sign-in, sign-up and reset share. */
import { asciiKey } from '../../common/email-address.ts';
import type { Owner } from '../../common/fair-queue.ts';
import type { User } from '../../storage/identity-store.ts';
import { deviceTokenWith, readDevice } from './device-token.ts';
import { directoryKey, type Throttled, type Visit } from './directory.ts';
import { composeMail } from './mail-texts/compose.ts';
import type { MailText, MailTexts } from './mail-texts/mail-text.ts';
import type { PasswordOptions, SignedIn } from './password-identity.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { type Charge, type Limit, limits } from './throttles.ts';

export interface PasswordDependencies extends PasswordOptions {
  /** Runs work after the response was sent. */
  readonly afterAnswer: (owner: Owner, work: () => Promise<void>) => void;
  /** How many mails one client address may have sent; undefined for any number. */
  readonly mailsOfAddress: Limit | undefined;
}

const resetMinutes = 30;

/** Names a directory in the key of a throttle. No account id is empty. */
export const directoryName = (visit: Visit): string => directoryKey(visit.directory) ?? '';

/** Whose turn it is when a password is hashed or a mail sent. */
export const ownerOf = (visit: Visit): Owner => ({ account: directoryName(visit), subject: visit.address });

const mailLimits = {
  code: [limits.codesTo, limits.codesToFromAddress],
  link: [limits.linksTo, limits.linksToFromAddress],
} as const satisfies Record<string, readonly [Limit, Limit]>;

/** Returns what a mail to an address counts as. */
export function mailCharges(
  { mailsOfAddress }: PasswordDependencies,
  visit: Visit,
  content: keyof typeof mailLimits,
  emailKey: string,
): Charge[] {
  const [inAll, fromAddress] = mailLimits[content];
  const to = [directoryName(visit), asciiKey(emailKey)] as const;
  const charges: Charge[] = [
    [fromAddress, ...to, visit.address],
    [inAll, ...to],
  ];
  if (mailsOfAddress !== undefined) charges.push([mailsOfAddress, visit.address]);
  return charges;
}

export const throttled = (retryAfterSeconds: number): Throttled => ({ kind: 'throttled', retryAfterSeconds });

/** Returns the outcome for a user who has just been verified. */
export function signedIn({ seals, now }: PasswordDependencies, visit: Visit, user: User): SignedIn {
  const { userId, email, name } = user;
  const deviceToken = deviceTokenWith(seals, readDevice(seals, visit.deviceToken), userId, now());
  return { kind: 'signed_in', person: { userId, email, emailVerified: true, name }, deviceToken };
}

/** Returns a secret with its hash. */
export function hashedSecret(): { readonly secret: string; readonly secretHash: Uint8Array } {
  const secret = newSecret();
  return { secret, secretHash: hashSecret(secret) as Uint8Array };
}

/** Mails a code. */
export function sendCode({ mailer }: PasswordDependencies, visit: Visit, to: string, code: string): Promise<void> {
  return send(mailer, visit, to, (texts) => texts.code(visit.brandName, code));
}

/** Makes a reset for a user, and mails its link. */
export async function sendResetLink(
  { store, mailer, authFrontUrl, now }: PasswordDependencies,
  visit: Visit,
  user: User,
  { text, returnQuery }: { readonly text: 'known' | 'reset'; readonly returnQuery: string },
): Promise<void> {
  const { secret, secretHash } = hashedSecret();
  const { accountId, userId, email } = user;
  const expiresAt = now() + resetMinutes * 60_000;
  const outcome = await store.addPasswordReset(secretHash, { accountId, userId, returnQuery, expiresAt });
  if (outcome === 'no_user' || email === null) return;
  const link = `${authFrontUrl()}/authorize/reset?token=${secret}`;
  await send(mailer, visit, email, (texts) => texts[text](visit.brandName, link));
}

function send(
  mailer: PasswordOptions['mailer'],
  { language }: Visit,
  to: string,
  write: (texts: MailTexts) => MailText,
): Promise<void> {
  return mailer.send(composeMail(language, to, write));
}
