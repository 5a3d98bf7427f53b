/** The content of a mail, before and after it is turned into text and HTML. */
import type { MailLogo } from './mail-brand.ts';

/** A mail to send. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The picture that the HTML shows as `logoContentId`. */
  readonly logo?: MailLogo;
}

/** One or two sentences, the code, or a link with what its button says. */
export type Paragraph = string | { readonly code: string } | { readonly link: string; readonly label: string };

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** The names in an invitation; null for those that are not shown. */
interface InvitationNames {
  readonly inviter: string | null;
  readonly account: string | null;
}

/** `brand` is the name of the project; null for developers. */
export interface MailTexts {
  /** Mail for a sign-up. `title` is a project's own subject, after the code. */
  code(brand: string | null, code: string, title?: string | null): MailText;
  /** To a person with an account, if the address is used to sign up. */
  known(brand: string | null, link: string): MailText;
  reset(brand: string | null, link: string): MailText;
  /**
   * An invitation to an account. Strangers choose the names: they are quoted, and null if they could carry an address (`shownName`).
   */
  invitation(names: InvitationNames, link: string): MailText;
}
