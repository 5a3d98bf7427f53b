/** What an ID token proves. */

/** The proven claims of an ID token. */
export interface VerifiedIdToken {
  readonly kind: 'verified';
  readonly subject: string;
  readonly tenant: string | null;
  readonly provider: string | null;
  readonly email: string | null;
  readonly name: string | null;
  /** Methods of proof as named in RFC 8176, separated by blanks. Only for the built-in issuer. */
  readonly amr?: string | undefined;
}

/** `reason` is a constant string, suitable for both the user and the log. */
export type IdTokenVerification = VerifiedIdToken | { readonly kind: 'rejected'; readonly reason: string };
