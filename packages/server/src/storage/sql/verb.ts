/** What a shared verb is made of: its steps, and what it does to caches, to other nodes and to files. */
import type { Environment } from '@holdfast/contract';
import type { AccessChange } from '../access-changes.ts';
import type { EndedToken } from '../ended-token-store.ts';
import type { ProjectKey } from '../management-store.ts';
import type { EndingScope } from '../player-store.ts';
import type { Row } from '../rows.ts';
import { StoreUnavailable } from '../store.ts';
import type { QuotaLimits } from '../usage-store.ts';
import type { Steps, Value } from './steps.ts';

/** What steps need beside the arguments of their verb. */
export interface Setting {
  /** What accounts may use that have no limits of their own. */
  readonly quotas: QuotaLimits;
  readonly engine: EngineSql;
  /** Told of the tokens that the steps end, where they run on the thread that has to know. Of no use unless the transaction is committed. */
  readonly noteEnded?: (ended: readonly EndedToken[]) => void;
}

/** The steps of an engine in tables that only it has in its form. */
export interface EngineSql {
  /** SQL: what the account `$1` uses, in a statement over its row. */
  readonly players: string;
  /** Of states alone. */
  readonly storageBytes: string;
  /** SQL: whether a column holds the id of a guest. */
  isGuest(column: string): string;
  /** SQL: a row for each element of the JSON list `$1`, which is its `value`. */
  readonly given: string;
  /** SQL: the milliseconds since the epoch at this moment, by the clock of the database. */
  readonly clock: string;
  /** SQL: deletes some of the repeats from before the time `$1`, and gives a row for each. */
  readonly removeOldRepeats: string;
  /** SQL: each gives one row with a number that no version of some records is above. */
  readonly highestVersions: readonly string[];
  /** The tables of authorization codes and refresh-token families. */
  readonly signInTables: readonly string[];
  readonly signIns: SignInStatements;
  readonly userStates: UserStateStatements;
  /**
   * SQL: the ids of those with a state in the project `$2` of the account `$1` whose keys (player-keys.ts) begin at `$3` and are below `$4`,
   * in order, at most `$7`; above `$3` only, but for ids after `$6` if `$5` is 1.
   */
  readonly playerIds: string;
  /** SQL: the states of the players `value ->> 0` of the list `$1`, in the project `$3` of the account `$2`, without their texts. */
  readonly playerStates: string;
  /** The oldest versions of public state of a document, oldest first, without their texts, and which version is current. A slice of them. */
  oldestPublicVersions(document: DocumentRowKey): Steps<{ readonly current: number; readonly oldest: readonly Row[] }>;
  /** The version that is so many versions before the current one of a document; 0: there are not so many. */
  publicVersionBefore(document: DocumentRowKey, versions: number): Steps<number>;
  /** Drops these oldest versions, and counts that. What is kept begins with `start`. */
  dropPublicVersions(document: DocumentRowKey, dropped: readonly Row[], start: Row): Steps<void>;
  /** Whether a player has a state in any project of an account. */
  hasStates(accountId: string, playerId: string): Steps<boolean>;
  /** Deletes the unspent codes of a player in a scope, and revokes the families. They are known as theirs until they would have ended. */
  endSignInsOfPlayer(scope: EndingScope, playerId: string): Steps<void>;
  /** Whether a deleted account of this id has left anything that is not cleared away yet. */
  isUncleared(accountId: string): Steps<boolean>;
  /** Deletes the authorization codes and refresh-token families of a user of a directory, in every project. Gives the families. */
  removeSignIns(directoryId: string, userId: string): Steps<readonly Row[]>;
  /** Deletes some of those of an account, whoever they belong to, and gives how many. */
  removeSomeSignIns(accountId: string): Steps<number>;
  /** Deletes those of a developer in one account. Gives the families. */
  removeSignInsOfMember(accountId: string, subject: string): Steps<readonly Row[]>;
  /** Deletes those of a player in one project, or one environment of it, and gives how many there were. */
  removeSignInsOfPlayer(player: PlayerRowKey, environment?: Environment | null): Steps<number>;
  /**
   * Deletes the states of a player in one environment, or all of them, and gives how many there were. Keeps that the next state of the same player
   * starts above their versions.
   */
  removeUserStates(player: PlayerRowKey, environment?: Environment | null): Steps<number>;
  /** Adds to what is counted for the states of a player; `bytes` may be negative. Of a user state that is gone, only its project is known. */
  countUserState(player: Pick<PlayerRowKey, 'accountId' | 'projectId'> & Partial<PlayerRowKey>, bytes: number): Steps<void>;
  /** Makes sure that no version of a user state in this environment is above the ceiling of its versions. */
  raiseUserStateCeiling(userState: UserStateRowKey, version: number): Steps<void>;
  /** Whether a player has a state in a living project of the account. */
  hasUserState(accountId: string, playerId: string): Steps<boolean>;
  /**
   * Waits until no first state of a player is being written in the account. One that comes later sees the links of players as this
   * transaction leaves them.
   */
  lockFirstWrites(accountId: string, playerId: string): Steps<void>;
  /**
   * Holds the states of two players in all living projects of the account until the end of the transaction. A row for each, without the
   * state itself.
   */
  holdUserStates(accountId: string, one: string, other: string): Steps<readonly Row[]>;
  /**
   * Moves the states `moved` of a guest in one project to another player, and deletes the others among `userStates`, which are all that the guest
   * has there. `isNew` says whether the player has had none in this project. Gives what was moved, as it is then.
   */
  moveUserStates(
    guest: PlayerRowKey,
    playerId: string,
    states: { readonly userStates: readonly MergedRow[]; readonly moved: readonly MergedRow[]; readonly isNew: boolean },
  ): Steps<readonly MergedRow[]>;
  /** Counts the states of a guest with those of everybody else, in every living project of the account. */
  countAsOrdinary(accountId: string, guestId: string): Steps<void>;
  /** Deletes the unspent codes of a user, and revokes the families. Gives these. */
  endSignIns(directoryId: string, userId: string): Steps<readonly Row[]>;
  /** The same for the developers of an account who have signed in without a second factor. */
  endWeakSignIns(accountId: string): Steps<readonly Row[]>;
  /** Gives a row for each live family of a user, the newest first, at most `sessionsMax` (sessions.ts). */
  listSignIns(directoryId: string, userId: string, now: number): Steps<readonly Row[]>;
  /** Makes what a new project begins with. Its versions continue above the floors that a deleted one of its name has left. */
  openProject(project: ProjectRowKey): Steps<void>;
  /** Takes away what leads to the records of a project, whose row still exists; keeps the floors of its versions. */
  closeProject(project: ProjectRowKey): Steps<void>;
  /** Notes that what lies in an account is to be cleared away. Its row still exists. */
  closeAccount(accountId: string): Steps<void>;
}

/** How the rows of codes and families lie in the tables of an engine, as SQL. */
export interface SignInStatements {
  /**
   * Adds a code, before or after whatever holds the account: so whoever gives an identity another player finds its codes. No row: no such
   * account or project. Two codes of one hash are a fault of the caller and fail.
   */
  readonly addCode: string;
  /** The code `$1` with its `family_id`. No row: no such code, it expired unspent before `$2`, or its account or project is gone. */
  readonly findCode: string;
  /**
   * Spends the code `$1` for the family `$2`. No row: no such code, it was spent or expired before `$7`, its account or project does not
   * exist, or its subject stands for another player now. Two families of one id are a fault of the caller and fail.
   */
  readonly spendCode: string;
  /** Lets the unspent code `$1` speak for the subject `$2`. No row: no such code, or it was spent or expired before `$3`. */
  readonly changeSubject: string;
  /** Revokes the family that the code `$1` was spent for, and gives it. No row: no such code, nobody has spent it, or its account or project is gone. */
  readonly revokeSpent: string;
  /** The family `$1`. No row: no such family, it expired before `$2` or was revoked, or its account or project is gone. */
  readonly findFamily: string;
  /** The family `$1` of a suspended account. No row: there is none, or its account is not suspended. */
  readonly findSuspended: string;
  /** Whose the family `$1` of a player is or was. No row: nobody knows it, or its account or project is gone. */
  readonly findSubject: string;
  /** Revokes the family `$1`, and gives it. No row: no such family, or it was revoked before. */
  readonly revokeFamily: string;
  /** Each deletes some of what ended before `$1`, at most as many rows as a sweep looks at, and gives a row for each sign-in. */
  readonly removeEnded: readonly string[];
  /** Gives those that are looked at and go on after `$1` their end as the time for the next look. A row for each. */
  readonly postponeLiving: string;
}

/** How the records of user states and their versions lie in the tables of an engine, as SQL. */
export interface UserStateStatements {
  /** Columns of `user_states` that name a record, as a list. Each has the name that it has in `user_state_versions` too. */
  readonly record: string;
  /** The names of these columns in `user_state_versions`. */
  readonly recordColumns: readonly string[];
  /** Their types. */
  readonly recordTypes: readonly string[];
  /** Whether a row of `user_states` is the record that a row of the table `versions` is of. */
  stateOf(versions: string): string;
  /** What a join of `user_states` with a project must say besides. */
  readonly ofAccount: string;
  /** Whether a row of the table `versions` is of the record in the row `record`. */
  ofRecord(versions: string): string;
  /**
   * A query for columns of the versions of the record in the one row of `record` that are below a number, newest first, at most so many. It
   * reads nothing of a version beside these columns, so a list without texts costs the same whatever the texts take.
   */
  below(columns: string, version: string, rowsMax: string): string;
  /** The same for the oldest versions. */
  oldest(columns: string, rowsMax: string): string;
  /** The columns of a row of `user_state_versions` beside those that all engines have, with their values for the record `record`. */
  readonly place: { readonly columns: string; readonly values: string };
  /** The condition on `user_states` for a user state, and its values. */
  at(userState: UserStateRowKey): { readonly condition: string; readonly values: readonly Value[] };
  /** The oldest version of each of the next records after `$1` …, with what leads to its user state. */
  readonly listKept: string;
  /** The values of `listKept` before the first record. */
  readonly first: readonly (string | number)[];
}

/** A project with the id that the database has given it. */
export interface ProjectRowKey extends ProjectKey {
  readonly projectId: string | number;
}

/** The public state of a project in the environment of a number. */
export interface DocumentRowKey extends ProjectRowKey {
  readonly environment: number;
}

/** A state of a player that a merge holds, without its text. */
export interface MergedRow extends PlayerRowKey {
  readonly environment: number;
  readonly version: number;
  /** What it counts with, its earlier versions included. */
  readonly bytes: number;
}

/** A player of a project. */
export interface PlayerRowKey extends ProjectRowKey {
  readonly playerId: string;
}

/** The state of a player in one environment. */
export interface UserStateRowKey extends PlayerRowKey {
  readonly environment: Environment;
}

/**
 * The outcome of a creation that has changed nothing, since a deleted account of the same id has left what would belong to the new one.
 * The engine clears that away, which may take many transactions, and repeats the call.
 */
export interface Uncleared {
  readonly kind: 'uncleared';
  readonly accountId: string;
}
export const uncleared = (accountId: string): Uncleared => ({ kind: 'uncleared', accountId });

/** Somebody who deletes the account again and again is in the way far fewer times than this. */
const clearingsMax = 20;

/**
 * Repeats `call` until nothing is left that has to be cleared away first. Throws `StoreUnavailable` when something is
 * left again and again.
 */
export async function whenCleared(
  call: () => Promise<unknown>,
  clear: (accountId: string) => Promise<unknown>,
): Promise<unknown> {
  for (let clearings = 0; clearings < clearingsMax; clearings++) {
    const outcome = (await call()) as Partial<Uncleared> | null | undefined;
    if (outcome?.kind !== 'uncleared') return outcome;
    await clear(outcome.accountId as string);
  }
  throw new StoreUnavailable('an account was deleted again and again while it was created');
}

type TakeSteps<Args extends readonly unknown[], Result> = (setting: Setting, ...args: Args) => Steps<Result>;

/** A verb that changes nothing. Each statement sees everything that was acknowledged before. */
export interface Read<Args extends readonly unknown[], Result> {
  readonly kind: 'read';
  readonly steps: TakeSteps<Args, Result>;
  /** The name of the record that it reads, where records are remembered. An undefined result is not remembered. */
  readonly remembers?: (...args: Args) => string;
}

/** What a verb that writes does to caches, to other nodes and to files. */
export interface Effect<Args extends readonly unknown[], Result> {
  /** What access it may take away. Left out or undefined: none, so caches of what exists or is allowed stay correct. */
  readonly takes?: (...args: Args) => AccessChange | undefined;
  /** The names of the records that it changes, where records are remembered (record-names.ts). */
  readonly changes?: (...args: Args) => string | readonly string[];
  /** Changes by one process that have the same name here are carried out in the order of the calls. Left out: in any order. */
  readonly orderedBy?: (...args: Args) => string;
  /** About how many characters the arguments have, where they may be many. */
  readonly charactersOf?: (...args: Args) => number;
  /** Whether an outcome says that nothing has changed. Left out: no outcome says so. */
  isWithoutEffect?(result: Result): boolean;
  /**
   * `serializable` where no row can be held that concurrent calls hold too. `statement` where each step may stand alone and no access is
   * taken away: it then costs one way over a network, and no savepoint in the embedded engine. Default: `read committed`.
   */
  readonly isolation?: 'serializable' | 'read committed' | 'statement';
  /** Whether what it deletes must leave the files too, as soon as that can be done. */
  readonly forgets?: boolean;
}

/** A verb that writes, all of its steps in one transaction unless its `isolation` says otherwise. */
export interface Write<Args extends readonly unknown[], Result> extends Effect<Args, Result> {
  readonly kind: 'write';
  readonly steps: TakeSteps<Args, Result>;
}

/** Any verb; its arguments are those that its caller was made to give. */
export type Verb = Read<never, unknown> | Write<never, unknown>;

/** What one call of a verb does, whatever the verb is. */
export interface CallEffect {
  readonly takes: AccessChange | undefined;
  readonly changes: readonly string[];
  readonly orderedBy: string | undefined;
  readonly characters: number;
  isWithoutEffect(result: unknown): boolean;
}

type AnyCall<V extends Verb> = V extends { readonly kind: 'write' }
  ? Write<readonly unknown[], unknown>
  : Read<readonly unknown[], unknown>;

/** Returns a verb for arguments of any type: they are those that its caller was made to give. */
const anyCall = <V extends Verb>(verb: V) => verb as unknown as AnyCall<V>;

/** Returns what a call with these arguments does. */
export function effectOf(verb: Write<never, unknown>, args: readonly unknown[]): CallEffect {
  const { takes, changes, orderedBy, charactersOf, isWithoutEffect = () => false } = anyCall(verb);
  return {
    takes: takes?.(...args),
    changes: [changes?.(...args) ?? []].flat(),
    orderedBy: orderedBy?.(...args),
    characters: charactersOf?.(...args) ?? 0,
    isWithoutEffect,
  };
}

/** Returns the steps of a call with these arguments. */
export function stepsOf(verb: Verb, setting: Setting, args: readonly unknown[]): Steps<unknown> {
  return anyCall(verb).steps(setting, ...args);
}

/** Returns the name of the record that a call with these arguments reads; undefined for what is not remembered. */
export function nameOf(verb: Read<never, unknown>, args: readonly unknown[]): string | undefined {
  return anyCall(verb).remembers?.(...args);
}

export const read = <Args extends readonly unknown[], Result>(
  steps: TakeSteps<Args, Result>,
  memory: Pick<Read<Args, Result>, 'remembers'> = {},
): Read<Args, Result> => ({ kind: 'read', steps, ...memory });

export const write = <Args extends readonly unknown[], Result>(
  steps: TakeSteps<Args, Result>,
  effect: Effect<Args, Result> = {},
): Write<Args, Result> => ({ kind: 'write', steps, ...effect });
