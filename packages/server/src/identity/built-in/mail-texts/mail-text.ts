/** The content of a mail, before it is turned into text and HTML. */

/** One or two sentences, the code, or a link. */
export type Paragraph = string | { readonly code: string } | { readonly link: string };

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** `brand` is the name of the project; null for developers. */
export interface MailTexts {
  /** Mail for a sign-up. */
  code(brand: string | null, code: string): MailText;
  /** To a person with an account, if the address is used to sign up. */
  known(brand: string | null, link: string): MailText;
  reset(brand: string | null, link: string): MailText;
  /** An invitation to an account. Strangers choose its name, so it is quoted, and not in the subject. */
  invitation(account: string, link: string): MailText;
}
