/** The types of statements and their values, and shared SQL and loops. */
import { StoreUnavailable } from '../../store.ts';

export type Value = string | number | boolean | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement and returns its rows. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** `serializable` alone keeps several statements exact. `read committed` sees what was committed while it waited for a lock. */
export type Isolation = 'serializable' | 'read committed';

/** Returns an array in PostgreSQL's notation, for a parameter that the statement casts to its type. */
export function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.map((value) => (typeof value === 'number' ? value : quoted(value))).join(',')}}`;
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** The maximum number of attempts: far more than a write can lose in a row to concurrent writes. */
const attemptsMax = 100;

/**
 * Repeats `attempt` until it decides, and returns its decision. It is undecided (undefined), and has written nothing, only if another write
 * has changed the records in question. Throws `StoreUnavailable` after 100 attempts.
 */
export async function decided<Decision>(attempt: () => Promise<Decision | undefined>): Promise<Decision> {
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const decision = await attempt();
    if (decision !== undefined) return decision;
  }
  throw new StoreUnavailable('a record kept changing while it was looked at');
}
