/** Rules for email addresses, passwords and names. */
import { nameCharactersMax } from '@holdfast/contract';
import { memoised } from '../../../common/async/memoised.ts';

/** A fault of a value that a user chose. */
export type Fault =
  | 'email_malformed'
  | 'email_deceptive'
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'name_long';

/** In code points, after composition (NFC). @see NIST SP 800-63B §3.1.1.2 */
const passwordCodePointsMin = 8;
const passwordCodePointsMax = 256;
/**
 * Composition takes quadratic time if combining marks are out of order: 62,000 characters block the event loop for a second. Length is
 * therefore checked first. A character is composed of at most four others, of two code units each, so a longer string stays too long when
 * composed.
 */
const unitsBeforeComposition = 8;
export const passwordUnitsMax = passwordCodePointsMax * unitsBeforeComposition;
const commonPasswordsMax = 10_000;

/** Returns the faults of a password for that address: none or one. */
export async function passwordFaults(password: string, email: string | undefined): Promise<Fault[]> {
  if (password.length > passwordUnitsMax) return ['password_long'];
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < passwordCodePointsMin) return ['password_short'];
  if (length > passwordCodePointsMax) return ['password_long'];
  const folded = composed.toLowerCase();
  return folded === email?.toLowerCase() || (await readCommonPasswords()).has(folded) ? ['password_common'] : [];
}

/** Returns the faults of a display name, which may be empty. */
export function nameFaults(name: string | null): Fault[] {
  return name !== null && name.length > nameCharactersMax ? ['name_long'] : [];
}

/** The list is read when the first password is chosen. It omits passwords that are too short anyway. */
const readCommonPasswords = memoised(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const commonest = dictionary['passwords-common'].slice(0, commonPasswordsMax);
  return new Set(
    commonest.map((each) => String(each).toLowerCase()).filter(({ length }) => length >= passwordCodePointsMin),
  );
});
