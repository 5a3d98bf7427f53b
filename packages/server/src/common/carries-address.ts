/** Whether text that a stranger chose could lead the readers of a mail or a page elsewhere. */

/** A scheme, `www.`, a mail address, an IP address, or a dot between something and at least two letters, as in a domain. */
const address =
  /[\p{L}\p{N}+.-]:\/\/|\bwww\.|[@＠]|\b\d{1,3}(?:[.．。]\d{1,3}){3}\b|[\p{L}\p{N}][.．。｡․‧·][\p{L}\p{N}-]*\p{L}{2}|\bxn--/iu;

/** Whether `text` contains a web or mail address, or a domain; also one in full-width letters or with invisible characters in it. */
export function carriesAddress(text: string): boolean {
  return address.test(text.normalize('NFKC').replaceAll(/\p{C}/gu, ''));
}
