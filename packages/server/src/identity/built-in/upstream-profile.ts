/** What an identity provider says about a user. */
import { nameCharactersMax } from '@holdfast/contract';

const emailCharactersMax = 320;

/** Issuer and subject identify the user; the rest is only shown. */
export interface UpstreamProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** Returns an address that can be kept, or null. */
export const readEmail = (value: unknown): string | null => shortText(value, emailCharactersMax);
/** Returns a name that can be kept, or null. */
export const readName = (value: unknown): string | null => shortText(value, nameCharactersMax);

function shortText(value: unknown, charactersMax: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= charactersMax && value.isWellFormed() ? value : null;
}
