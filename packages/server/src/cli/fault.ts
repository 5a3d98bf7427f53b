/** Failures of commands. */
import { SealFault } from '../secrets/secret-key.ts';
import { StoreError } from '../storage/contract/errors.ts';

/** A command that failed, with the lines to print. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Advice if the database was restored or copied without its key. */
const withoutKey = [
  'If you have the key that the database was used with, put it into secret.key in the data folder, or into SVC_SECRET_KEY;',
  'while the key changes, the old one stays in SVC_SECRET_KEY_OTHER until "holdfast secret-key reseal" says that it can go.',
  'If it is lost, "holdfast keys rotate --revoke" makes new signing keys. Then everybody signs in again, and the secrets of',
  'identity providers have to be entered again.',
];

/** Returns the lines that say why a command failed. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof CommandFault) return error.lines;
  if (error instanceof SealFault) return [`the secret key does not fit the database: ${error.message}`, ...withoutKey];
  if (error instanceof StoreError && error.cause instanceof Error) return storeLines(error.message, error.cause);
  return [error instanceof Error ? error.message : String(error)];
}

/** What to do about a database that cannot run a statement of this program. */
export const unfitDatabase = 'use a database of docs/scaling.md; for Citus, run "holdfast distribute"';

/** The database's `feature_not_supported`. */
const notSupported = '0A000';

const storeLines = (message: string, cause: Error & { readonly code?: unknown }): readonly string[] => [
  `${message}: ${cause.message}`,
  ...(cause.code === notSupported ? [unfitDatabase] : []),
];
