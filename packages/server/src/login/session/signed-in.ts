/** Somebody who has signed in at the login page. */
import type { Person, Proof } from '../../identity/built-in/directory.ts';

export interface SignedIn extends Proof {
  readonly person: Person;
  /** `password`, or the id of a federated provider. */
  readonly provider: string;
  /** Whether the person has just signed up. */
  readonly isNew?: boolean;
  /** Whether a passkey is useful. */
  readonly mayOfferPasskey?: boolean;
  readonly isPasskeyKept?: boolean;
  /** For the browser, which becomes a known device of this person when the sign-in is complete. */
  readonly deviceToken?: string | undefined;
  readonly headers?: readonly string[];
}
