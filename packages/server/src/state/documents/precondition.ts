/**
 * Write preconditions. Versions are compared as text, so a number that a double cannot hold is a stale version, never a rounded one.
 *
 * @see docs/contract.md §4.3
 */
import { Refusal } from '../../common/requests/refusal.ts';
import type { Expectation } from '../../storage/contract/public-states.ts';

/** `both`: both headers were sent, which no record satisfies. */
export type Precondition =
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'both' };

const entityTagPattern = /^"(0|[1-9][0-9]*)"$/;

const absent: Precondition = { kind: 'absent' };
const both: Precondition = { kind: 'both' };

/**
 * Reads a write's precondition: exactly one of `If-Match: "N"` and `If-None-Match: *`. Throws `validation_error` if it is missing or
 * malformed.
 *
 * @see docs/contract.md §4.3
 */
export function readPrecondition(ifMatch: string | undefined, ifNoneMatch: string | undefined): Precondition {
  if (ifMatch !== undefined && ifNoneMatch !== undefined) return both;
  if (ifMatch !== undefined) {
    const version = entityTagPattern.exec(ifMatch)?.[1];
    if (version !== undefined) return { kind: 'version', version };
    throw new Refusal('validation_error', 'header If-Match must be one quoted version, such as "3"');
  }
  if (ifNoneMatch === '*') return absent;
  throw new Refusal(
    'validation_error',
    ifNoneMatch === undefined
      ? 'a write needs the header If-Match: "<version>" to change a state, or If-None-Match: * to create one'
      : 'header If-None-Match must be * on a write',
  );
}

/** Methods that change the record in the path. */
const changing: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Refuses `validation_error` for a precondition, in the header `name`, on a change of a record without an entity tag. @see RFC 9110 §13.1
 */
export function refusePrecondition(method: string, name: 'If-Match' | 'If-None-Match'): void {
  if (!changing.has(method)) return;
  throw new Refusal(
    'validation_error',
    `${name} cannot be compared: what this path changes has no entity tag; leave it out`,
  );
}

/** Whether a record with this version (null if there is no record) satisfies the precondition. Version "0" never satisfies it. */
export function isSatisfied(precondition: Precondition, currentVersion: number | null): boolean {
  switch (precondition.kind) {
    case 'version':
      return currentVersion !== null && precondition.version === String(currentVersion);
    case 'absent':
      return currentVersion === null;
    case 'both':
      return false;
  }
}

/** The version that the write expects; undefined if no record can satisfy the precondition. */
export function expectation(precondition: Precondition): Expectation | undefined {
  if (precondition.kind === 'absent') return { kind: 'absent' };
  if (precondition.kind === 'both') return undefined;
  const version = Number(precondition.version);
  return version > 0 && Number.isSafeInteger(version) ? { kind: 'version', version } : undefined;
}

/** The refusal of a write whose precondition fails. @see docs/contract.md §4.3 */
export function conflict(precondition: Precondition, currentVersion: number | null): Refusal {
  return new Refusal('version_conflict', conflictMessage(precondition, currentVersion), { details: { currentVersion } });
}

function conflictMessage(precondition: Precondition, currentVersion: number | null): string {
  const current = currentVersion === null ? 'there is no state yet' : `the current version is ${currentVersion}`;
  switch (precondition.kind) {
    case 'version':
      return `cannot write over version ${precondition.version.slice(0, 40)}: ${current}`;
    case 'absent':
      return `cannot create the state: ${current}`;
    case 'both':
      return `If-Match and If-None-Match exclude each other; ${current}`;
  }
}
