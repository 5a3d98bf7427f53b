import { isHoldfastError } from '../errors.ts';

/** Whether a failure says that the guest has signed up, or was merged: a token error, or the refusal of a merge. */
export const isRetired = (failure: unknown): boolean =>
  isHoldfastError(failure) && /^(guestAssertion: )?guest_upgraded\b/.test(failure.message);
