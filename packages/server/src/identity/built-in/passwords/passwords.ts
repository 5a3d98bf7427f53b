/** Sign-in by email and password: sign-in, sign-up with a code by mail, and reset with a link by mail. */
import { createBackground } from '../background.ts';
import { mailsOfAddress } from '../throttles.ts';
import type { PasswordIdentity, PasswordOptions } from './password-identity.ts';
import { createReset } from './password-reset.ts';
import { createSignIn } from './password-sign-in.ts';
import { createSignUp } from './password-sign-up.ts';

/** Returns sign-in by email and password. Its functions throw `StoreUnavailable` only. */
export function createPasswordIdentity(options: PasswordOptions): PasswordIdentity {
  const background = createBackground(options.onFault);
  const dependencies = {
    ...options,
    afterAnswer: background.run,
    mailsOfAddress: mailsOfAddress(options.mailsPerHour),
  };
  return {
    ...createSignIn(dependencies),
    ...createSignUp(dependencies),
    ...createReset(dependencies),
    settled: background.settled,
  };
}
