/** The look of a mail: that of the project it is sent for, or of the service. */

/** Colours, `#rrggbb`, with enough contrast between those that touch. */
export interface MailColours {
  readonly background: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly hairline: string;
  readonly primary: string;
  readonly onPrimary: string;
}

/** A picture, in base64. */
export interface MailLogo {
  readonly data: string;
  readonly mediaType: string;
}

/** The id of the logo among the parts of a mail. @see RFC 2392 */
export const logoContentId = 'logo';

export interface MailBrand {
  /** The name in the mail's header. */
  readonly name: string;
  readonly colours: MailColours;
  readonly logo: MailLogo | null;
  /** A project's own words; null for those of the service. */
  readonly texts: MailWords | null;
}

/** A project's own words, plain text without addresses and domains. */
export interface MailWords {
  /** The subject of the mail with a sign-up's code, after the code. */
  readonly subject: string | null;
  /** Before the first sentence. */
  readonly greeting: string | null;
  /** Below the mail. */
  readonly footer: string | null;
}

/** The service's own look. */
export const serviceBrand: MailBrand = {
  name: 'Holdfast',
  colours: {
    background: '#f4f1e8',
    surface: '#fffdf8',
    text: '#16201f',
    muted: '#5a6663',
    hairline: '#ddd8cb',
    primary: '#0d5b53',
    onPrimary: '#ffffff',
  },
  logo: null,
  texts: null,
};
