/** What texts that people wrote show others. */

/** A visible character: not white space, not one that Unicode lets programs ignore, and not the braille blank. */
const shown = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => !shown.test(text);

/** Returns a name, or what stands before the `@` of an email address that serves as one. */
export function withoutAddress(name: string): string {
  return /^[^\s@]+@\S+$/.test(name) ? name.slice(0, name.indexOf('@')) : name;
}

/** A scheme, `www.`, a mail address, an IP address, or a dot between something and at least two letters, as in a domain. */
const address =
  /[\p{L}\p{N}+.-]:\/\/|\bwww\.|[@＠]|\b\d{1,3}(?:[.．。]\d{1,3}){3}\b|[\p{L}\p{N}][.．。｡․‧·][\p{L}\p{N}-]*\p{L}{2}|\bxn--/iu;

/**
 * Whether text that a stranger chose could lead the readers of a mail or a page elsewhere: whether it contains a web or mail address, or a
 * domain; also one in full-width letters or with invisible characters in it.
 */
export function carriesAddress(text: string): boolean {
  return address.test(text.normalize('NFKC').replaceAll(/\p{C}/gu, ''));
}
