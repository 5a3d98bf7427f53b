/** What the shared verbs need of an engine: SQL and steps for the tables that each engine has in its own form. */
import type { Environment } from '@holdfast/contract';
import type { ProjectKey } from '../contract/projects.ts';
import type { Row } from '../rows/columns.ts';
import type { Steps, Value } from './steps.ts';

/**
 * An engine's steps that use its own tables, of states and of sign-ins. All others are declared once (tables.ts). Measured: in the tables of
 * PostgreSQL, which begin each key with the account and have ids that no node has to ask for, SQLite needs 1.8 times as long for a first
 * save, 1.1 times for a later one and 1.3 times for a read, and 1.3 times the space. One process needs neither.
 */
export interface EngineSql {
  /** SQL: the players of account `$1`, in a statement over its row. */
  readonly players: string;
  /** SQL: the bytes of its states alone. */
  readonly storageBytes: string;
  /** SQL: whether a column holds the id of a guest. */
  isGuest(column: string): string;
  /** SQL: a row for each element of the JSON list `$1`, as `value`. */
  readonly given: string;
  /** SQL: the bytes that the first item of an element of `given` writes in hexadecimal. */
  readonly givenBytes: string;
  /** SQL: the current milliseconds since the epoch, by the clock of the database. */
  readonly clock: string;
  /** SQL: deletes some of the repeats from before the time `$1`, and returns a row for each. */
  readonly removeOldRepeats: string;
  /** SQL: each returns one row with a number that no version of some records exceeds. */
  readonly highestVersions: readonly string[];
  /**
   * SQL: whether the column before it has one of the values of a query. The database runs the query first: with IN, PostgreSQL may choose to
   * read the whole table instead of an index.
   */
  isOneOf(query: string): string;
  readonly signIns: SignInStatements;
  readonly userStates: UserStateStatements;
  /**
   * SQL: the ids of players with a state in the project `$2` of the account `$1` whose keys (player-keys.ts) are above `$3` and below `$4`,
   * in order, at most `$7`; if `$5` is 1, also those with the key `$3` and an id after `$6`.
   */
  readonly playerIds: string;
  /** Locks a public state document and returns its version; 0 if there is none. */
  lockPublicState(document: DocumentRowKey): Steps<number>;
  /** A slice of the oldest versions of a public state document, oldest first, without their texts, and the current version. */
  oldestPublicVersions(document: DocumentRowKey): Steps<{ readonly current: number; readonly oldest: readonly Row[] }>;
  /** The version that is `versions` versions before a document's current one; 0 if there are fewer. */
  publicVersionBefore(document: DocumentRowKey, versions: number): Steps<number>;
  /** Drops these oldest versions, and updates the counts. The kept versions begin with `start`. */
  dropPublicVersions(document: DocumentRowKey, dropped: readonly Row[], start: Row): Steps<void>;
  /**
   * Returns the current version of a document, with its `author` and `comment` as stored; undefined if nothing is stored. The next write
   * looks again for the changes that wait for webhooks (`storeStateChange`): nothing else may end or remove one.
   */
  endCollecting(project: ProjectKey, environment: number): Steps<Row | undefined>;
  /** Whether remains of a deleted account with this id are still to be cleared. */
  isUncleared(accountId: string): Steps<boolean>;
  /**
   * Deletes the states of a player in one environment, or in all environments. Returns the number deleted. Ensures that the player's next
   * state starts above their versions.
   */
  removeUserStates(player: PlayerRowKey, environment?: Environment | null): Steps<number>;
  /** Adds to the counts for the states of a player; `bytes` may be negative. For a deleted user state, only its project is known. */
  countUserState(player: Pick<PlayerRowKey, 'accountId' | 'projectId'> & Partial<PlayerRowKey>, bytes: number): Steps<void>;
  /**
   * Ensures that no version of a user state in this environment, which has states, exceeds the ceiling of its versions. `floor` is the
   * installation's (version-floors.ts).
   */
  raiseUserStateCeiling(environment: DocumentRowKey, version: number, floor: number): Steps<void>;
  /**
   * Waits until no first state of a player is being written in the account. A later first state sees the player links as this transaction
   * leaves them.
   */
  lockFirstWrites(accountId: string, playerId: string): Steps<void>;
  /**
   * Locks the states of two players in all living projects of the account until the end of the transaction. Returns a row for each, without
   * the state itself.
   */
  lockUserStates(accountId: string, one: string, other: string): Steps<readonly Row[]>;
  /**
   * Moves the states `moved` of a guest in one project to another player, and deletes the rest of `userStates`, which holds all of the
   * guest's states there. `isNew`: the player had no state in this project. Returns the moved states with their new values.
   */
  moveUserStates(
    guest: PlayerRowKey,
    playerId: string,
    states: { readonly userStates: readonly MergedRow[]; readonly moved: readonly MergedRow[]; readonly isNew: boolean },
  ): Steps<readonly MergedRow[]>;
  /** Counts the states of a guest as a player's, in every living project of the account. */
  countAsOrdinary(accountId: string, guestId: string): Steps<void>;
  /** Creates the rows of a new project. Its versions continue above the floors left by a deleted project with its name. */
  openProject(project: ProjectRowKey): Steps<void>;
  /** Deletes the rows that lead to the records of a project, whose own row still exists; keeps its version floors. */
  closeProject(project: ProjectRowKey): Steps<void>;
  /** Records that the contents of an account must be cleared. Its row still exists. */
  closeAccount(accountId: string): Steps<void>;
}

/**
 * SQL for codes and families in an engine's tables. In SQLite, a code becomes the row of its family: two tables take 1.6 times as long for a
 * sign-in, and 1.4 times the space. PostgreSQL copies a row with each change, so it keeps what only a code needs apart. Columns that
 * both tables have are called the same.
 */
export interface SignInStatements {
  /** The table of codes, whose `family_id` is null until they are spent, and that of families; both may be the same. */
  readonly codes: string;
  readonly families: string;
  /** Deletes the families that meet a condition, with their codes, and returns them. */
  removeFamilies(condition: string): string;
  /** Each deletes some of the codes or families of the account `$1`, and returns a row for each. */
  readonly removeSome: readonly string[];
  /**
   * Adds a code, before or after any step that locks the account: moving an identity to a different player therefore finds its codes. No
   * row: no such account or project. Two codes with the same hash are a fault of the caller and fail.
   */
  readonly addCode: string;
  /** The code `$1` with its `family_id`. No row: no such code, it expired unspent before `$2`, or its account or project was deleted. */
  readonly findCode: string;
  /**
   * Spends the code `$1` for the family `$2`. No row: no such code, it was spent or expired before `$7`, its account or project does not
   * exist, or its subject now stands for a different player. Two families with the same id are a fault of the caller and fail.
   */
  readonly spendCode: string;
  /** Makes the unspent code `$1` speak for the subject `$2`. No row: no such code, or it was spent or expired before `$3`. */
  readonly changeSubject: string;
  /**
   * Revokes the family that the code `$1` was spent for, and returns it. No row: no such code, it is unspent, or its account or project was
   * deleted.
   */
  readonly revokeSpent: string;
  /** The family `$1`. No row: no such family, it expired before `$2` or was revoked, or its account or project was deleted. */
  readonly findFamily: string;
  /**
   * Each deletes some of the sign-ins that ended before `$1`, at most as many rows as a sweep reads, and returns a row for each sign-in.
   */
  readonly removeEnded: readonly string[];
  /** Postpones the next check of sign-ins that continue after `$1` to their end. A row for each. */
  readonly postponeLiving: string;
}

/** SQL for user states and their versions in an engine's tables, which are different for the reason given at `EngineSql`. */
export interface UserStateStatements {
  /** The columns of `user_states` that identify a record, as a list. Each has the same name in `user_state_versions`. */
  readonly record: string;
  /** The names of these columns in `user_state_versions`. */
  readonly recordColumns: readonly string[];
  /** The types of these columns. */
  readonly recordTypes: readonly string[];
  /** Whether a row of `user_states` is the record of a row of the table `versions`. */
  stateOf(versions: string): string;
  /** The additional condition for a join of `user_states` with a project. */
  readonly ofAccount: string;
  /** Whether a row of the table `versions` belongs to the record in the row `record`. */
  ofRecord(versions: string): string;
  /**
   * A query for columns of the versions of the record in the one row of `record` that are below a number, newest first, at most `rowsMax`.
   * It reads only these columns, so the cost of a list without texts does not depend on their size.
   */
  below(columns: string, version: string, rowsMax: string): string;
  /** The same for the oldest versions. */
  oldest(columns: string, rowsMax: string): string;
  /**
   * The columns of a row of `user_state_versions` other than the columns common to all engines, with their values for the record `record`.
   */
  readonly place: { readonly columns: string; readonly values: string };
  /** The condition on `user_states` for a user state, and its values. */
  at(userState: UserStateRowKey): { readonly condition: string; readonly values: readonly Value[] };
  /** The oldest version of each of the next records after `$1` …, with the columns that lead to its user state. */
  readonly listKept: string;
  /** The values of `listKept` before the first record. */
  readonly first: readonly (string | number)[];
}

/** A project with its id in the database. */
export interface ProjectRowKey extends ProjectKey {
  readonly projectId: string | number;
}

/** The public state of a project in an environment, by number. */
export interface DocumentRowKey extends ProjectRowKey {
  readonly environment: number;
}

/** A state of a player that a merge locks, without its text. */
export interface MergedRow extends PlayerRowKey {
  readonly environment: number;
  readonly version: number;
  /** Its counted bytes, including its earlier versions. */
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
