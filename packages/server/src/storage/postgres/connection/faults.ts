/** What the driver and the database say went wrong. */
import { StoreError, StoreFault, StoreUnavailable } from '../../store.ts';

interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly constraint_name?: unknown;
}

const codeOf = (error: unknown): string => String((error as DriverError | null)?.code ?? '');

/** `serialization_failure` and `deadlock_detected`: the database has rolled everything back, for the sake of others. */
const rolledBack: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Whether the database says that nothing was carried out and that the same may succeed when it is tried again. */
export const isRolledBack = (error: unknown): boolean => rolledBack.has(codeOf(error));

/** No connection in time, `cannot_connect_now` of a server that is starting, and `NotPrimary`. */
const unsent: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', '57P03', 'NOT_PRIMARY']);
/** What the operating system was asked when it failed, before a connection has come about. */
const connecting: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** Whether a failure says that nothing was sent, since a server cannot be asked at all. Another one may take it. */
export const isUnsent = (error: unknown): boolean =>
  unsent.has(codeOf(error)) || connecting.has((error as { syscall?: unknown } | null)?.syscall);

/** The server only reads: it stands by for another one. */
export class NotPrimary extends Error {
  readonly code = 'NOT_PRIMARY';
}

/** What lies between keeps settings from the server, as poolers do. */
export class BehindPooler extends Error {
  readonly code = 'BEHIND_POOLER';
}

/** Whether the reason of a fault, as `describeFault` tells it, is that a pooler lies between. */
export const tellsOfPooler = (reason: string): boolean => /^BEHIND_POOLER|unsupported startup parameter/.test(reason);

/** Whether a failure means that its connection is of no more use: any but an answer of the database that it may go on after. */
export function isOfConnection(error: unknown): boolean {
  if (!isOfDriver(error)) return false;
  const { severity } = error as { severity?: unknown };
  return severity === undefined || severity === 'FATAL' || severity === 'PANIC';
}

/** `data_exception`: its messages hold the values that it is about. */
const tellsValues = (code: string): boolean => code.startsWith('22');

/**
 * Classes of SQLSTATE that speak of the statement and its values: `cardinality_violation`, `data_exception`,
 * `integrity_constraint_violation`, `syntax_error_or_access_rule_violation`, `program_limit_exceeded`.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const faultClasses: ReadonlySet<string> = new Set(['21', '22', '23', '42', '54']);
/** Not these, which come from outside: `insufficient_privilege`, and `duplicate_prepared_statement` behind a pooler. */
const outsideFaults: ReadonlySet<string> = new Set(['42501', '42P05']);
/** What the driver says of calls that it does not take. */
const misuses: ReadonlySet<string> = new Set([
  ...['UNDEFINED_VALUE', 'NOT_TAGGED_CALL', 'MAX_PARAMETERS_EXCEEDED', 'UNSAFE_TRANSACTION', 'INVALID_TRANSFORM'],
]);

/** Whether the same statement would fail again, whatever the state of the database. Nothing was carried out. */
function isFaultOfStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (misuses.has(code)) return true;
  if (code.startsWith('ERR_')) return error instanceof TypeError || error instanceof RangeError;
  return code.length === 5 && faultClasses.has(code.slice(0, 2)) && !outsideFaults.has(code);
}

/**
 * Returns the error as the callers of the store know it. Its cause tells an operator what happened, and no value of a statement.
 * An exception that comes from neither the database nor the driver is returned as it is: the program has a defect.
 */
export function databaseFault(error: unknown): Error {
  if (error instanceof StoreError) return error;
  if (!isOfDriver(error)) return error instanceof Error ? error : new Error(String(error));
  const cause = new Error(describeFault(error));
  return isFaultOfStatement(error)
    ? new StoreFault('the database refused a statement', { cause })
    : new StoreUnavailable('the database could not carry out a statement', { cause });
}

/** What an operator is told of a fault. */
export function describeFault(error: unknown): string {
  const code = codeOf(error);
  const { message, constraint_name: constraint } = error as DriverError;
  const text = tellsValues(code) ? 'invalid value' : String(message ?? error);
  return [code, text, constraint].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Errors of the database, of the driver and of sockets carry a code; mistakes in this program do not. */
function isOfDriver(error: unknown): boolean {
  return typeof (error as DriverError | null)?.code === 'string';
}
