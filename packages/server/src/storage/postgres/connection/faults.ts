/** Interprets errors of the driver and the database. */
import { reasonOf, StoreError, StoreFault, StoreUnavailable } from '../../store.ts';

interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly constraint_name?: unknown;
  readonly syscall?: unknown;
  readonly severity?: unknown;
  readonly routine?: unknown;
}

/** The members of a driver error, all optional. */
const membersOf = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? error : {});
const codeOf = (error: unknown): string => String(membersOf(error).code ?? '');

/** `serialization_failure` and `deadlock_detected`: the database has rolled everything back because of concurrent transactions. */
const rolledBack: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Whether the database reports that nothing was carried out, and that a repeat may succeed. */
export const isRolledBack = (error: unknown): boolean => rolledBack.has(codeOf(error));

/** No connection in time, `cannot_connect_now` of a server that is starting, and `NotPrimary`. */
const unsent: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', '57P03', 'NOT_PRIMARY']);
/** System calls that fail before there is a connection. */
const connecting: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** Whether nothing was sent because a server cannot be reached. A different server may accept it. */
export const isUnsent = (error: unknown): boolean => unsent.has(codeOf(error)) || connecting.has(membersOf(error).syscall);

/** The server is read-only: it may be a standby. */
export class NotPrimary extends Error {
  readonly code = 'NOT_PRIMARY';
}

/** A pooler in between does not pass settings on to the server. */
export class BehindPooler extends Error {
  readonly code = 'BEHIND_POOLER';
}

/** Whether the reason of a fault, as returned by `describeFault`, is a pooler in between. */
export const namesPooler = (reason: string): boolean => /^BEHIND_POOLER|unsupported startup parameter/.test(reason);

/** Whether the connection cannot be used after this failure. It can be used only after a non-fatal error from the database. */
export function isOfConnection(error: unknown): boolean {
  if (!isOfDriver(error)) return false;
  const { severity } = membersOf(error);
  return severity === undefined || severity === 'FATAL' || severity === 'PANIC';
}

/** `data_exception`: its messages contain values of the statement. */
const containsValues = (code: string): boolean => code.startsWith('22');

/**
 * Classes of SQLSTATE about the statement and its values: `feature_not_supported`, `cardinality_violation`, `data_exception`,
 * `integrity_constraint_violation`, `syntax_error_or_access_rule_violation`, `program_limit_exceeded`.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const faultClasses: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '42', '54']);
/**
 * Exceptions in these classes with causes outside the program: `insufficient_privilege`, and `duplicate_prepared_statement` behind a
 * pooler.
 */
const outsideFaults: ReadonlySet<string> = new Set(['42501', '42P05']);
/** Codes of the driver for calls that it does not accept. */
const misuses: ReadonlySet<string> = new Set([
  'UNDEFINED_VALUE',
  'NOT_TAGGED_CALL',
  'MAX_PARAMETERS_EXCEEDED',
  'UNSAFE_TRANSACTION',
  'INVALID_TRANSFORM',
]);

/**
 * Whether the engine cannot run this statement at all. A plan that became outdated by a change of the schema has the same code, but is made
 * again.
 */
export function isUnsupported(error: unknown): boolean {
  return codeOf(error) === '0A000' && membersOf(error).routine !== 'RevalidateCachedQuery';
}

/** Whether the same statement would fail again, regardless of the state of the database. Nothing was carried out. */
function isFaultOfStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (misuses.has(code)) return true;
  if (code.startsWith('ERR_')) return error instanceof TypeError || error instanceof RangeError;
  if (code === '0A000') return isUnsupported(error);
  return code.length === 5 && faultClasses.has(code.slice(0, 2)) && !outsideFaults.has(code);
}

/**
 * Returns the error as an error of the store. Its cause has the code of the failure and describes it, without any value of a statement. An exception from neither
 * the database nor the driver is a defect of the program and is returned unchanged.
 */
export function databaseFault(error: unknown): Error {
  if (error instanceof StoreError) return error;
  if (!isOfDriver(error)) return error instanceof Error ? error : new Error(String(error));
  const cause = Object.assign(new Error(describeFault(error)), { code: codeOf(error) });
  return isFaultOfStatement(error)
    ? new StoreFault('the database refused a statement', { cause })
    : new StoreUnavailable('the database could not carry out a statement', { cause });
}

/** Returns the message about a fault for the operator. */
function describeFault(error: unknown): string {
  const code = codeOf(error);
  const { message, constraint_name: constraint } = membersOf(error);
  const text = containsValues(code) ? 'invalid value' : String(message ?? error);
  return [code, text, constraint].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Errors of the database, the driver and sockets have a code; exceptions of this program do not. */
function isOfDriver(error: unknown): boolean {
  return typeof membersOf(error).code === 'string';
}

/** Returns the error for an operator whose database cannot be used. */
export const unusableDatabase = (name: string, cause: StoreError): Error =>
  new Error(`cannot use the database ${name}: ${reasonOf(cause)}`, { cause });
