/** What an email address is, and when two texts are one address. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { emailCharactersMax } from '@holdfast/contract';

/** Composition (NFC) takes time with the square of the length, so length is checked first. A character composes from 8 units at most. */
const emailUnitsMax = emailCharactersMax * 8;

/** One `@`, a domain with a dot, and nothing with a meaning in the header of a mail. */
const emailPattern = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}.]+(?:\.[^\s@<>()[\]\\,;:"\p{C}.]+)+$/u;

export interface EmailAddress {
  /**
   * As typed, composed (NFC), without blanks around it. A domain that UTS 46 changes in more than its case is in its Unicode form. Mails
   * are sent here.
   */
  readonly email: string;
  /** The look-up key: A–Z in the local part and the whole domain in lower case, the domain in the form that was typed. */
  readonly emailKey: string;
}

/**
 * Returns an address, or undefined if it is malformed. It may be a deceptive one, which users of older databases have: before making a new
 * user, call `isDeceptiveEmail` too.
 */
export function parseEmail(text: string): EmailAddress | undefined {
  if (text.length > emailUnitsMax) return undefined;
  const typed = composed(text.trim());
  const { local, at, domain } = partsOf(typed);
  const lowered = domain.toLowerCase();
  const ascii = domainInAscii(lowered);
  if (typed.length > emailCharactersMax || (ascii === undefined && passesForAscii(domain))) return undefined;
  if (!emailPattern.test(`${local}${at}${ascii ?? domain}`)) return undefined;
  const unicode = domainInUnicode(ascii ?? lowered);
  const email = lowered === ascii || lowered === unicode ? typed : `${local}${at}${unicode}`;
  return { email, emailKey: keyOf(typed) };
}

/**
 * Whether an address could be taken for another, or is too long to tell: in its local part, letters that normalisation or a change of case
 * turns into ASCII; in its domain, those that UTS 46 does not map. A mail server may take it for somebody else's address, so nobody signs
 * up with it, and one that an issuer names counts as none.
 */
export function isDeceptiveEmail(text: string): boolean {
  if (text.length > emailUnitsMax) return true;
  const { local, domain } = partsOf(text);
  return (
    passesForAscii(local) ||
    [...local].some((letter) => letter > '\x7f' && hasAscii(letter.toUpperCase())) ||
    (passesForAscii(domain) && domainInAscii(domain) === undefined)
  );
}

/** Returns an address from an issuer in its stored form, or null for one that could be taken for another. */
export const readIssuedEmail = (text: string): string | null =>
  isDeceptiveEmail(text) ? null : (parseEmail(text)?.email ?? text);

/** Whether two texts are the same address. */
export function isSameEmail(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) =>
    // No release has kept a local part with such letters.
    text.length > emailUnitsMax || passesForAscii(partsOf(text).local) ? undefined : asciiKey(keyOf(composed(text))),
  );
  return first !== undefined && first === second;
}

/** Returns a key with the domain in its ASCII form (UTS 46, nontransitional): equal for all keys of one address. */
export function asciiKey(emailKey: string): string {
  const { local, at, domain } = partsOf(emailKey);
  return `${local}${at}${domainInAscii(domain) ?? domain}`;
}

/** Returns a key with the domain in its Unicode form. */
export function unicodeKey(emailKey: string): string {
  const { local, at, domain } = partsOf(asciiKey(emailKey));
  return `${local}${at}${domainInUnicode(domain)}`;
}

const hasAscii = (text: string): boolean => /[!-~]/.test(text);

/** Whether normalisation, or lower case after it, turns a letter into an ASCII one. */
const passesForAscii = (text: string): boolean =>
  [...text].some((letter) => letter > '\x7f' && hasAscii(letter.normalize('NFC') + letter.normalize('NFKC').toLowerCase()));

/** Composes a text (NFC), except for characters that would become ASCII: an address with such a character is a different one. */
const composed = (text: string): string => text.replaceAll(/[^\u037e\u1fef\u212a]+/g, (part) => part.normalize('NFC'));

function keyOf(email: string): string {
  const { local, at, domain } = partsOf(email);
  return `${local.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())}${at}${domain.toLowerCase()}`;
}

/** Undefined for a text that UTS 46 does not map. One in ASCII stays as it is. */
const domainInAscii = (domain: string): string | undefined =>
  /^[!-~]*$/.test(domain) ? domain : mapped(domain, domainToASCII);

const domainInUnicode = (ascii: string): string =>
  ascii.includes('xn--') ? (mapped(ascii, domainToUnicode) ?? ascii) : ascii;

/**
 * Node reads the host of a URL: no character with a meaning there is part of a domain, and nothing that ends in a label of letters is an
 * IPv4 address.
 */
function mapped(domain: string, map: (domain: string) => string): string | undefined {
  return /[\s\p{Cc}%/?#:@\\]/u.test(domain) ? undefined : map(`${domain}.a`).slice(0, -2) || undefined;
}

/** Without an `@`, all of it is the local part. */
function partsOf(email: string): { readonly local: string; readonly at: '@' | ''; readonly domain: string } {
  const index = email.lastIndexOf('@');
  if (index < 0) return { local: email, at: '', domain: '' };
  return { local: email.slice(0, index), at: '@', domain: email.slice(index + 1) };
}
