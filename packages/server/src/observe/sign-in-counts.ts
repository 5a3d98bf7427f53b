/** Counts of sign-ins, for the metrics. */
import { guestGrantType } from '@holdfast/contract';

/** Sign-in steps at the token endpoint. */
const grants: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh'],
  [guestGrantType, 'guest'],
  ['client_credentials', 'service_account'],
]);

/** Sign-in steps on the login page, by operation. */
const pages: ReadonlyMap<string, string> = new Map([
  ['signIn', 'password'],
  ['confirmSignUp', 'sign_up'],
  ['signInWithPasskey', 'passkey'],
  ['takeSecondStep', 'second_factor'],
  ['returnFromProvider', 'provider'],
  ['postFromProvider', 'provider'],
  ['returnFromIssuer', 'issuer'],
  ['postFromIssuer', 'issuer'],
]);

/** Counts by step and outcome. Both have few values, whatever clients send. */
export class SignInCounts {
  readonly #counts = new Map<string, { readonly step: string; readonly outcome: string; count: number }>();

  /** Counts an exchange at the token endpoint; `error` is its code, if it failed. */
  exchanged(grantType: string | undefined, error: string | undefined): void {
    this.#note(grants.get(grantType ?? '') ?? 'unknown', error ?? 'succeeded');
  }

  /** Counts a response of the login page, if its operation is a step of a sign-in. */
  answered(operation: string | undefined, status: number): void {
    const step = operation === undefined ? undefined : pages.get(operation);
    if (step !== undefined) this.#note(step, outcomeOf(status));
  }

  [Symbol.iterator]() {
    return this.#counts.values();
  }

  #note(step: string, outcome: string): void {
    const name = `${step} ${outcome}`;
    const known = this.#counts.get(name) ?? { step, outcome, count: 0 };
    known.count += 1;
    this.#counts.set(name, known);
  }
}

function outcomeOf(status: number): string {
  if (status < 400) return 'succeeded';
  if (status === 429) return 'throttled';
  return status < 500 ? 'refused' : 'failed';
}
