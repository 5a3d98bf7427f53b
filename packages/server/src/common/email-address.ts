/** What an email address is, and when two texts are one address. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { emailCharactersMax } from '@holdfast/contract';

/** Composition (NFC) takes time with the square of the length, so length is checked before it. A character composes from 8 units at most. */
const emailUnitsMax = emailCharactersMax * 8;

/** One `@`, a domain with a dot, and nothing that has a meaning in the header of a mail. */
const emailPattern = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}.]+(?:\.[^\s@<>()[\]\\,;:"\p{C}.]+)+$/u;

export interface EmailAddress {
  /** As it was typed, composed (NFC), without blanks around it. Mails go here. */
  readonly email: string;
  /** What it is looked up by: A–Z in the local part and all of the domain in lower case, the domain in the form that was typed. */
  readonly emailKey: string;
}

/**
 * Returns the address, or undefined if it is invalid. Letters that normalisation or a change of case turns into ASCII ones are refused: a
 * mail server may take the address for that of somebody else.
 */
export function parseEmail(text: string): EmailAddress | undefined {
  return text.length <= emailUnitsMax && hasFoldedLetters(text) ? undefined : parseKnownEmail(text);
}

/**
 * Returns an address to find a user by, or undefined if it is invalid. It accepts letters such as ß, whose upper case is ASCII: users of
 * older databases may have them in their addresses.
 */
export function parseKnownEmail(text: string): EmailAddress | undefined {
  if (text.length > emailUnitsMax) return undefined;
  const typed = text.trim();
  if ([...typed].some(passesForAscii)) return undefined;
  const email = typed.normalize('NFC');
  return email.length <= emailCharactersMax && emailPattern.test(email) ? { email, emailKey: keyOf(email) } : undefined;
}

const isAscii = (letter: string): boolean => letter <= '\x7f';
const hasAscii = (text: string): boolean => /[!-~]/.test(text);
const passesForAscii = (letter: string): boolean =>
  !isAscii(letter) && hasAscii(letter.normalize('NFC') + letter.normalize('NFKC').toLowerCase());

/** In a local part upper case counts too. In a domain it does not: what ß and ı are there, the ASCII form of the domain decides. */
function hasFoldedLetters(text: string): boolean {
  const local = text.slice(0, Math.max(text.lastIndexOf('@'), 0));
  return [...local].some((letter) => !isAscii(letter) && hasAscii(letter.toUpperCase()));
}

/** Whether an address that an issuer names could be taken for another one, or is too long to tell. Then it counts as no address. */
export const isDeceptiveEmail = (text: string): boolean =>
  text.length > emailUnitsMax || [...text].some(passesForAscii) || hasFoldedLetters(text);

/** Whether two texts are the same address. A text that could be taken for another address is the same as none. */
export function isSameEmail(one: string, other: string): boolean {
  if (isDeceptiveEmail(one) || isDeceptiveEmail(other)) return false;
  return asciiKey(keyOf(one.normalize('NFC'))) === asciiKey(keyOf(other.normalize('NFC')));
}

function keyOf(email: string): string {
  const { local, domain } = partsOf(email);
  return `${local.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())}${domain.toLowerCase()}`;
}

/** Returns a key with the domain in its ASCII form (UTS 46, nontransitional): equal for all keys of one address. */
export function asciiKey(emailKey: string): string {
  const { local, domain } = partsOf(emailKey);
  // Most domains are in this form already. What is no domain name stays as it is.
  if (/^[!-~]*$/.test(domain) || domain.includes('%')) return emailKey;
  return `${local}@${domainToASCII(domain.slice(1)) || domain.slice(1)}`;
}

/** Returns a key with the domain in its Unicode form. */
export function unicodeKey(emailKey: string): string {
  const ascii = asciiKey(emailKey);
  const { local, domain } = partsOf(ascii);
  return domain.includes('xn--') ? `${local}@${domainToUnicode(domain.slice(1)) || domain.slice(1)}` : ascii;
}

/** The domain begins with its `@`. */
function partsOf(email: string): { readonly local: string; readonly domain: string } {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: '' } : { local: email.slice(0, at), domain: email.slice(at) };
}
