/**
 * The messages between the main thread and the writer thread. A command is sent as a tuple of its name and its arguments; frequent
 * arguments are tuples too (state-writes.ts).
 */

import type { RefreshFamily, RefreshTerms, RepeatableExchange } from '../../contract/sign-ins.ts';
import type { BackgroundTask } from '../../contract/store-observer.ts';
import type { QuotaLimits } from '../../contract/usage.ts';
import type { SharedVerbName } from '../../sql/verbs.ts';
import type { Failure } from '../faults.ts';
import type { PublicStateValues, UserStateValues } from './state-writes.ts';
import type { EncodedWriteOutcome } from './write-outcomes.ts';

/**
 * The use of a refresh token, and its outcome, as plain values. A refresh does little else, and copying records and arrays of bytes between
 * the threads would take 5 µs more. Hashes are Latin-1.
 */
type RefreshTokenUse = readonly [
  familyId: string,
  secretHash: string,
  nextSecretHash: string,
  idleExpiresAt: number,
  issuedAfter: number,
  sessionLabel: string | null,
  now: number,
  graceMilliseconds: number,
];
export type FamilyValues = readonly [
  accountId: string,
  slug: string | null,
  environment: RefreshFamily['environment'],
  clientId: string,
  subject: string,
  scope: string,
  amr: string | undefined,
  familyId: string,
  createdAt: number,
  idleExpiresAt: number,
  absoluteExpiresAt: number,
  sessionLabel: string | undefined,
  epoch: number | undefined,
];
export type RefreshTokenOutcome =
  | readonly ['consumed' | 'repeated' | 'mismatched', ...FamilyValues]
  | 'replayed'
  | 'unknown';

export interface Commands {
  checkReady(): void;
  /** A shared verb, with its arguments. */
  sharedVerb(name: SharedVerbName, args: readonly unknown[]): unknown;
  /** Clears some of the remains of a deleted account with this id. */
  clearAccount(accountId: string): 'cleared' | 'going_on';
  writePublicState(write: PublicStateValues): EncodedWriteOutcome;
  writeUserState(write: UserStateValues): EncodedWriteOutcome;
  consumeRefreshToken(
    use: RefreshTokenUse,
    terms: RefreshTerms,
    repeat: RepeatableExchange | undefined,
  ): RefreshTokenOutcome;
}

export type CommandName = keyof Commands;
/**
 * The frequent commands. A transaction first runs these, and shared verbs whose isolation is `statement`, without a savepoint, which would
 * take 1.4 µs, a tenth of the time of most of them.
 */
export const fastCommands: ReadonlySet<CommandName> = new Set([
  'writePublicState',
  'writeUserState',
  'consumeRefreshToken',
]);

export type CommandArguments<Name extends CommandName> = Parameters<Commands[Name]>;
export type CommandOutcome<Name extends CommandName> = ReturnType<Commands[Name]>;
export type Command = { [Name in CommandName]: readonly [Name, ...CommandArguments<Name>] }[CommandName];

/** Replaces an outcome: this command failed, alone or with its whole transaction, and changed nothing. */
export interface CommandFailure {
  readonly failure: Failure;
}

/** A message from the main thread: commands in order, and their approximate number of characters. Null closes the writer. */
export type Request = { readonly commands: readonly Command[]; readonly characters: number } | null;

/** A message from the writer. Outcomes come in the order of the commands. */
export interface Reply {
  /** The writer has opened the database; sent once, first. */
  readonly ready?: true;
  /** Another process has changed the database since the last reply. */
  readonly changed?: true;
  /** The outcomes of the oldest commands without one. They are durable. A `CommandFailure` replaces each that failed. */
  readonly outcomes?: readonly unknown[];
  /** How long their transaction took, if measured. */
  readonly milliseconds?: number;
  /** Background work has failed, or has succeeded after a failure (then without `failure`). */
  readonly background?: { readonly task: BackgroundTask; readonly failure?: Failure };
}

/** The options of the writer thread. */
export interface WriterOptions {
  readonly path: string;
  /** Whether this writer sweeps the remains of deletions. Only the server does. */
  readonly sweeps: boolean;
  /** Whether replies say how long transactions took. */
  readonly measures: boolean;
  /** Default limits, for accounts that have no limits of their own. */
  readonly quotas: QuotaLimits;
}
