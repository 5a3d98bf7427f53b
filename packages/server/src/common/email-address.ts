/** What an email address is. */
import { emailCharactersMax } from '@holdfast/contract';

/** Composition (NFC) takes time with the square of the length, so length is checked before it. A character composes from 8 units at most. */
const emailUnitsMax = emailCharactersMax * 8;

/** One `@`, a domain with a dot, and nothing that has a meaning in the header of a mail. */
const emailPattern = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}.]+(?:\.[^\s@<>()[\]\\,;:"\p{C}.]+)+$/u;

export interface EmailAddress {
  /** As it was typed, without blanks around it. */
  readonly email: string;
  /** By which it is compared: without regard to case. */
  readonly emailKey: string;
}

/**
 * Returns the address, or undefined when it is none. Letters that pass for ASCII ones, such as fullwidth ones, are
 * refused: a mail server may take the address for that of somebody else.
 */
export function parseEmail(text: string): EmailAddress | undefined {
  if (text.length > emailUnitsMax) return undefined;
  const email = text.trim().normalize('NFC');
  if (email.length > emailCharactersMax) return undefined;
  const looksAlike = [...email].some((letter) => letter > '\x7f' && /[!-~]/.test(letter.normalize('NFKC').toLowerCase()));
  if (looksAlike || !emailPattern.test(email)) return undefined;
  return { email, emailKey: email.toLowerCase() };
}
