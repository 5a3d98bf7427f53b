/** Translates errors of SQLite and the runtime into errors of the store. */
import { StoreError, StoreFault, StoreUnavailable } from '../store.ts';

/** Primary result codes about the disk, the file, memory or other processes, not about the program. */
const outageCodes: ReadonlySet<number> = new Set([
  3 /* PERM */, 4 /* ABORT */, 5 /* BUSY */, 6 /* LOCKED */, 7 /* NOMEM */, 8 /* READONLY */, 9 /* INTERRUPT */,
  10 /* IOERR */, 11 /* CORRUPT */, 13 /* FULL */, 14 /* CANTOPEN */, 15 /* PROTOCOL */, 17 /* SCHEMA */, 22 /* NOLFS */,
  23 /* AUTH */, 26 /* NOTADB */,
]);

/**
 * Whether the database cannot be used now. Anything else is a fault of the program: a violated constraint, a statement that does not match
 * the schema, a value that cannot be bound, an exception without a result code. @see https://sqlite.org/rescode.html
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  return error instanceof Error && 'errcode' in error && outageCodes.has(Number(error.errcode) & 0xff);
}

/** Returns an error of the runtime or of SQLite as an error of the store. `action` names the failed action. */
export function storeError(action: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  return isOutage(cause) ? new StoreUnavailable(action, { cause }) : new StoreFault(action, { cause });
}

/** The form of an error sent from the writer thread, since errors lose their class and members there. */
export interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
  readonly isOutage: boolean;
}

/** Returns the form of an error to send to the main thread. */
export function toFailure(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, isOutage: isOutage(error) };
}

/** Returns the error of the writer thread. */
export function errorOf({ message, stack }: Failure): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Returns the error for the caller of a write. */
export function writeError(failure: Failure): StoreError {
  const cause = errorOf(failure);
  return failure.isOutage
    ? new StoreUnavailable(`cannot write: ${failure.message}`, { cause })
    : new StoreFault(`cannot write: ${failure.message}`, { cause });
}
