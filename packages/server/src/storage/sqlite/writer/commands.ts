/**
 * What the main thread sends to the writer thread, and what comes back. A command travels as a tuple of its name and its
 * arguments. Measured: to copy the names of 13 members takes 1 µs, a hundredth of the time of a write.
 */

import type { ReplacedUserState } from '../../history/replaced-user-state.ts';
import type { PlayerEnded, TokenEnded } from '../../public-state-store.ts';
import type { Repeated } from '../../repeat-store.ts';
import type { EnvironmentNumber } from '../../rows.ts';
import type { NextRefreshToken, RefreshOutcome, RefreshTerms, RefreshTokenKey } from '../../sign-in-store.ts';
import type { SharedVerbName } from '../../sql/verbs.ts';
import type { NewPublicState } from '../../store.ts';
import type { BackgroundTask } from '../../store-observer.ts';
import type { QuotaLimits, QuotaReached } from '../../usage-store.ts';
import type { NewUserState } from '../../user-state-store.ts';
import type { Failure } from '../faults.ts';

/** Key of a row of `public_state_heads` and of the tables that bound the versions of user state. */
export const headKey = (projectId: number, environment: number): number => projectId * 4 + environment;

/**
 * The outcome of a conditional write as one number: the version that was written; 0 or below for a conflict, where the
 * current version is its negative, and 0 means that there is none; null when the project does not exist. Only a quota, which
 * is rarely reached, a repeated write, and one for somebody who has become another player need an object.
 */
export type EncodedWriteOutcome = number | null | QuotaReached | Repeated | PlayerEnded | TokenEnded;

/** A state as its text, or as its UTF-8 in memory that both threads see. */
export type StateArgument = string | Uint8Array;

/** A conditional write of public state. Its state, depth and checksum are a `StoredText`. */
export interface PublicStateWrite extends Pick<NewPublicState, 'stateBytes' | 'comment' | 'writtenAt' | 'repeat' | 'by'> {
  readonly accountId: string;
  readonly slug: string;
  readonly environment: EnvironmentNumber;
  /** Null when there must be no current version. */
  readonly expectedVersion: number | null;
  readonly state: StateArgument;
  readonly depth: number;
  readonly checksum: number;
  readonly author: string | null;
  readonly storageBytesMax: number;
  /** That of the installation, by which the text was encoded (version-floors.ts). */
  readonly versionFloor: number;
}

/** A conditional write of user state. */
export interface UserStateWrite
  extends Pick<NewUserState, 'stateBytes' | 'writtenAt' | 'epoch' | 'repeat' | 'by' | 'keeps'> {
  readonly accountId: string;
  readonly slug: string;
  readonly environment: EnvironmentNumber;
  readonly playerId: string;
  /** Null when there must be no current version. */
  readonly expectedVersion: number | null;
  readonly state: StateArgument;
  readonly author: string | null;
  /** As it is stored. */
  readonly comment: string | null;
  /** Is kept of the current version; without it, what was kept before is dropped. */
  readonly replaced: ReplacedUserState | undefined;
  readonly playersMax: number;
  readonly storageBytesMax: number;
  /** As that of public state. */
  readonly versionFloor: number;
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends RefreshTokenKey {
  readonly next: NextRefreshToken;
  readonly now: number;
  readonly graceMilliseconds: number;
  readonly terms: RefreshTerms;
}

export interface Commands {
  checkReady(): void;
  /** A shared verb, with its arguments. */
  sharedVerb(name: SharedVerbName, args: readonly unknown[]): unknown;
  /** Clears away some of what a deleted account of this id has left. */
  clearAccount(accountId: string): 'cleared' | 'going_on';
  writePublicState(write: PublicStateWrite): EncodedWriteOutcome;
  writeUserState(write: UserStateWrite): EncodedWriteOutcome;
  consumeRefreshToken(use: RefreshTokenUse): RefreshOutcome;
}

export type CommandName = keyof Commands;
/**
 * The frequent commands. A transaction tries them, and shared verbs whose isolation is `statement`, without a savepoint, which would take
 * 1.4 µs, a tenth of the time of most of them.
 */
export const fastCommands: ReadonlySet<CommandName> = new Set([
  'writePublicState',
  'writeUserState',
  'consumeRefreshToken',
]);

export type CommandArguments<Name extends CommandName> = Parameters<Commands[Name]>;
export type CommandOutcome<Name extends CommandName> = ReturnType<Commands[Name]>;
export type Command = { [Name in CommandName]: readonly [Name, ...CommandArguments<Name>] }[CommandName];

/** Takes the place of an outcome: this command failed, by itself or with its whole transaction, and changed nothing. */
export interface CommandFailure {
  readonly failure: Failure;
}

/** What the main thread posts: commands in order, and about how many characters they hold. Null closes the writer. */
export type Request = { readonly commands: readonly Command[]; readonly characters: number } | null;

/** What the writer posts. Outcomes come in the order of the commands. */
export interface Reply {
  /** The writer has opened the database; sent once, first. */
  readonly ready?: true;
  /** Another process has changed the database since the last reply. */
  readonly changed?: true;
  /**
   * The outcomes of the oldest commands without one. They are durable. A `CommandFailure` takes the place of each that
   * failed.
   */
  readonly outcomes?: readonly unknown[];
  /** How long their transaction took, if that is measured. */
  readonly milliseconds?: number;
  /** Background work has failed, or has succeeded after a failure (then without `failure`). */
  readonly background?: { readonly task: BackgroundTask; readonly failure?: Failure };
}

/** What the writer thread is started with. */
export interface WriterOptions {
  readonly path: string;
  /** Whether this writer deletes what deletions leave behind. Only one process does, the server. */
  readonly sweeps: boolean;
  /** Whether replies say how long transactions took. */
  readonly measures: boolean;
  /** What accounts may use that have no limits of their own. */
  readonly quotas: QuotaLimits;
}
