import { isHoldfastError } from '../errors.ts';

/** Whether a failure says that the guest has signed up, or was merged. */
export const isRetired = (failure: unknown): boolean =>
  isHoldfastError(failure) && failure.message.includes('guest_upgraded');
