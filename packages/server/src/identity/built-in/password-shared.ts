/** What sign-in, sign-up and reset share. */
import { asciiKey } from '../../common/email-address.ts';
import type { Owner } from '../../common/fair-queue.ts';
import type { User } from '../../storage/identity-store.ts';
import { deviceTokenWith, readDevice } from './device-token.ts';
import { directoryKey, type Throttled, type Visit } from './directory.ts';
import type { OutgoingMail } from './mail-queue.ts';
import type { PasswordOptions, SignedIn } from './password-identity.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { type Charge, type Limit, limits } from './throttles.ts';

export interface PasswordDependencies extends PasswordOptions {
  /** Runs work after the response was sent. */
  readonly afterAnswer: (owner: Owner, work: () => Promise<void>) => void;
  /** How many mails one client address may have sent; undefined for any number. */
  readonly mailsOfAddress: Limit | undefined;
}

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

/**
 * Counts a mail with a code. An earlier one of the same client to the same address that was not sent gives way to it. Returns the seconds to
 * wait, if that is not now.
 */
export async function takeCode(
  { mails, throttles }: PasswordDependencies,
  visit: Visit,
  emailKey: string,
  charges: readonly Charge[],
): Promise<number | undefined> {
  const wait = await throttles.take(charges);
  if (wait === undefined) return undefined;
  const accountId = directoryKey(visit.directory);
  const hasRoom = await mails.giveWay({ accountId, emailKey: asciiKey(emailKey), charges });
  return hasRoom ? throttles.take(charges) : wait;
}

/** A mail of somebody who asks for it, without what follows from the request. */
export type AskedMail = Pick<OutgoingMail, 'mailHash' | 'emailKey' | 'letter' | 'expiresAt' | 'charges'>;

/** Stores a mail, to be sent once the response was. `busy`, with nothing counted, when too many wait. */
export async function post(
  { mails, afterAnswer }: PasswordDependencies,
  visit: Visit,
  mail: AskedMail,
): Promise<'posted' | 'busy'> {
  const send = await mails.add({ ...mail, accountId: directoryKey(visit.directory) });
  if (send === undefined) return 'busy';
  afterAnswer(ownerOf(visit), send);
  return 'posted';
}
