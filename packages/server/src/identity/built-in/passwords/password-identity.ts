/** The interface of sign-in by email and password, and its parts. */
import type { Sealer } from '../../../common/secrets/sealer.ts';
import type { Store } from '../../../storage/store.ts';
import type { Directory, Person, Requester, Throttled } from '../directory.ts';
import type { MailQueue, MailStatus } from '../mails/mail-queue.ts';
import type { Throttles } from '../throttles.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Fault } from './password-rules.ts';

export type Busy = { readonly kind: 'busy' };
export type Expired = { readonly kind: 'expired' };
export type Invalid = { readonly kind: 'invalid'; readonly faults: readonly Fault[] };
/** `deviceToken` replaces the token that the browser sent, if any. */
export type SignedIn = { readonly kind: 'signed_in'; readonly person: Person; readonly deviceToken: string };
/** `signUp` is the secret that a form sends with the code. */
type CodeSent = { readonly kind: 'code_sent'; readonly signUp: string };

export type SignInOutcome =
  | SignedIn
  | { readonly kind: 'rejected' }
  | { readonly kind: 'unconfirmed'; readonly signUp: string }
  | Throttled
  | Busy;
type ConfirmOutcome = SignedIn | { readonly kind: 'wrong_code'; readonly attemptsLeft: number } | Expired;
type ConfirmPasswordOutcome = Exclude<ConfirmOutcome, SignedIn> | { readonly kind: 'added' };
type ReadResetOutcome =
  | { readonly kind: 'open'; readonly directory: Directory; readonly email: string; readonly returnQuery: string }
  | Expired;
type ResetOutcome =
  | {
      readonly kind: 'changed';
      readonly returnQuery: string;
      readonly deviceToken: string;
      /** Whether passkeys were kept because of a second factor. */
      readonly isProtected: boolean;
    }
  | Invalid
  | Expired
  | Busy;

export interface PasswordIdentity {
  /**
   * Compares a password. A user who has not entered the code of the sign-up is `unconfirmed` and is mailed another code. A wrong password
   * and an unknown address get the same response after the same work.
   */
  signIn(requester: Requester, form: SignInForm): Promise<SignInOutcome>;
  /** Mails a code. If the address has an account, the mail says how to sign in instead. The response is the same. */
  signUp(requester: Requester, form: SignUpForm): Promise<CodeSent | Invalid | Throttled | Busy>;
  /**
   * Creates the user, whose address is now confirmed. A sign-up of another directory is `expired`. The right code always works: only
   * clients with the secret of the sign-up can use up its attempts.
   */
  confirm(requester: Requester, form: { readonly signUp: string; readonly code: string }): Promise<ConfirmOutcome>;
  /** Gives the password and address of a sign-up to a user who signed in through a provider. */
  confirmFor(
    requester: Requester,
    userId: string,
    form: { readonly signUp: string; readonly code: string },
  ): Promise<ConfirmPasswordOutcome>;
  /** Mails another code, which replaces the previous one and gets new attempts. */
  resendCode(requester: Requester, signUp: string, returnQuery: string): Promise<CodeSent | Expired | Throttled | Busy>;
  /** Returns the state of a sign-up's newest mail. With `isPatient`, waits a little for its first try. */
  mailStatus(signUp: string, isPatient: boolean): Promise<MailStatus>;
  /** Mails a link, if the address has a user. The response is the same, and is sent first. */
  requestReset(requester: Requester, form: ResetRequest): Promise<{ readonly kind: 'sent' } | Throttled>;
  /** Returns the user of a reset token. The token stays valid. */
  readReset(token: string): Promise<ReadResetOutcome>;
  /** Sets a password, once per token, and ends all sessions of the user. */
  resetPassword(requester: Requester, form: { readonly token: string; readonly password: string }): Promise<ResetOutcome>;
  /** Resolves when each mail has been tried. */
  settled(): Promise<void>;
}

interface SignInForm {
  readonly email: string;
  readonly password: string;
  /** Where sign-in continues after the link in the mail to an address with an account. */
  readonly returnQuery: string;
}

interface SignUpForm {
  readonly email: string;
  readonly password: string;
  readonly name: string | null;
  /** Where sign-in continues after the link in the mail to an address with an account. */
  readonly returnQuery: string;
}

interface ResetRequest {
  readonly email: string;
  readonly returnQuery: string;
}

/** The parts of sign-in, sign-up and reset. */
export interface PasswordOptions {
  readonly store: Pick<
    Store,
    | 'findUser'
    | 'findUserByEmail'
    | 'findHolderOfEmail'
    | 'replacePasswordHash'
    | 'addSignUp'
    | 'findSignUp'
    | 'findSignUpByEmail'
    | 'renewSignUp'
    | 'confirmSignUp'
    | 'addPasswordReset'
    | 'findPasswordReset'
    | 'redeemPasswordReset'
    | 'sweepExpiredIdentities'
    | 'findAccount'
    | 'confirmPassword'
    | 'findSecondFactor'
    | 'mustHaveSecondFactor'
  >;
  readonly hasher: PasswordHasher;
  readonly throttles: Throttles;
  /** Mails that one client address may cause per hour; 0 means no limit. */
  readonly mailsPerHour: number;
  /** For device tokens. */
  readonly seals: Sealer;
  readonly mails: Pick<MailQueue, 'add' | 'dropOldest' | 'statusOf'>;
  readonly now: () => number;
  /** Called if work after the response, such as sending a mail, failed. */
  readonly onFault: (fault: unknown) => void;
}
