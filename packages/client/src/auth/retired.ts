import { isHoldfastError } from '../errors.ts';

/** How the service says that a guest has signed up or was merged: in a token error, and in the refusal of a merge. */
const retired = /^(?:guestAssertion: )?guest_upgraded(?::|$)/;

/** Whether a failure says that the guest has signed up, or was merged. */
export const isRetired = (failure: unknown): boolean =>
  (isHoldfastError(failure, 'invalid_grant') || isHoldfastError(failure, 'validation_error')) &&
  retired.test(failure.message);
