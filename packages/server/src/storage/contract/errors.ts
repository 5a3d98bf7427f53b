/** The errors that a store throws. */

/** The base of all errors that a store throws. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/**
 * The store cannot serve now: unreachable, full, failing or closed. The call can be repeated unchanged. Whether an unfinished write was
 * stored is unknown.
 */
export class StoreUnavailable extends StoreError {
  override name = 'StoreUnavailable';
}

/**
 * The call breaks a rule of the store, for example a constraint, or the program has a defect: the same call would fail again. Nothing was
 * stored. `cause` is the underlying error, without any value of the call.
 */
export class StoreFault extends StoreError {
  override name = 'StoreFault';
}

/** Returns the reason for a store's error: the message of its cause, or its own. */
export const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);
