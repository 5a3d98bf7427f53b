/** A user's profile at an identity provider. */
import { nameCharactersMax } from '@holdfast/contract';
import { readIssuedEmail } from '../../../common/text/email-address.ts';

const emailCharactersMax = 320;

/** Issuer and subject identify the user; the rest is only shown. */
export interface UpstreamProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** Returns the address if it can be stored and cannot be mistaken for another; otherwise null. */
export function readEmail(value: unknown): string | null {
  const email = shortText(value, emailCharactersMax);
  return email === null ? null : readIssuedEmail(email);
}

/** Returns the name if it can be stored; otherwise null. */
export const readName = (value: unknown): string | null => shortText(value, nameCharactersMax);

function shortText(value: unknown, charactersMax: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= charactersMax && value.isWellFormed() ? value : null;
}
