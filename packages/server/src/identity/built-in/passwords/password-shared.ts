/** Shared by sign-in, sign-up and reset. */

import { hashSecret, randomSecret } from '../../../common/secrets/secret-text.ts';
import { asciiKey } from '../../../common/text/email-address.ts';
import type { Owner } from '../../../common/threads/fair-queue.ts';
import type { User } from '../../../storage/contract/identity.ts';
import { deviceTokenWith, readDevice } from '../device-token.ts';
import { directoryKey, type Requester, type Throttled } from '../directory.ts';
import type { OutgoingMail } from '../mails/mail-queue.ts';
import { type Charge, type Limit, limits } from '../throttles.ts';
import type { PasswordOptions, SignedIn } from './password-identity.ts';

export interface PasswordDependencies extends PasswordOptions {
  /** Runs work after the response was sent. */
  readonly afterAnswer: (owner: Owner, work: () => Promise<void>) => void;
  /** The limit of mails that one client address may cause; undefined means no limit. */
  readonly mailsOfAddress: Limit | undefined;
}

/** Names a directory in the key of a throttle. Account ids are never empty. */
export const directoryName = (requester: Requester): string => directoryKey(requester.directory) ?? '';

/** The owner that takes turns at hashing passwords and sending mails. */
export const ownerOf = (requester: Requester): Owner => ({ account: directoryName(requester), subject: requester.address });

const mailLimits = {
  code: [limits.codesTo, limits.codesToFromAddress],
  link: [limits.linksTo, limits.linksToFromAddress],
} as const satisfies Record<string, readonly [Limit, Limit]>;

/** Returns the charges of a mail to an address. */
export function mailCharges(
  { mailsOfAddress }: PasswordDependencies,
  requester: Requester,
  content: keyof typeof mailLimits,
  emailKey: string,
): Charge[] {
  const [inAll, fromAddress] = mailLimits[content];
  const to = [directoryName(requester), asciiKey(emailKey)] as const;
  const charges: Charge[] = [
    [fromAddress, ...to, requester.address],
    [inAll, ...to],
  ];
  if (mailsOfAddress !== undefined) charges.push([mailsOfAddress, requester.address]);
  return charges;
}

export const throttled = (retryAfterSeconds: number): Throttled => ({ kind: 'throttled', retryAfterSeconds });

/** Returns the outcome for a freshly verified user. */
export function signedIn({ seals, now }: PasswordDependencies, requester: Requester, user: User): SignedIn {
  const { userId, email, name } = user;
  const deviceToken = deviceTokenWith(seals, readDevice(seals, requester.deviceToken), userId, now());
  return { kind: 'signed_in', person: { userId, email, emailVerified: true, name }, deviceToken };
}

/** Returns a secret with its hash. */
export function hashedSecret(): { readonly secret: string; readonly secretHash: Uint8Array } {
  const secret = randomSecret();
  return { secret, secretHash: hashSecret(secret) };
}

/**
 * Counts a mail with a code. An unsent one of the same client to the same address gives way to it. Returns the seconds to wait, or
 * undefined if none.
 */
export async function takeCode(
  { mails, throttles }: PasswordDependencies,
  requester: Requester,
  emailKey: string,
  charges: readonly Charge[],
): Promise<number | undefined> {
  const wait = await throttles.take(charges);
  if (wait === undefined) return undefined;
  const accountId = directoryKey(requester.directory);
  const hasRoom = await mails.dropOldest({ accountId, emailKey: asciiKey(emailKey), charges });
  return hasRoom ? throttles.take(charges) : wait;
}

/** A requested mail, without the fields derived from the request. */
export type RequestedMail = Pick<OutgoingMail, 'mailHash' | 'emailKey' | 'draft' | 'expiresAt' | 'charges'>;

/** Stores a mail, to be sent after the response; `busy`, with nothing counted, if too many wait. */
export async function queueMail(
  { mails, afterAnswer }: PasswordDependencies,
  requester: Requester,
  mail: RequestedMail,
): Promise<'posted' | 'busy'> {
  const send = await mails.add({ ...mail, accountId: directoryKey(requester.directory) });
  if (send === undefined) return 'busy';
  afterAnswer(ownerOf(requester), send);
  return 'posted';
}
