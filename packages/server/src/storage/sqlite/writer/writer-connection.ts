/** The writer's connection: its statements, their caches, and running commands. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QuotaLimits } from '../../contract/usage.ts';
import type { Write } from '../../sql/verb.ts';
import { sharedVerb } from '../../sql/verbs.ts';
import { openForWriting, statement } from '../directory/database.ts';
import { isOutage, toFailure } from '../faults.ts';
import { sharedVerbWrites } from '../shared-verbs.ts';
import { refreshFamilyWrites } from '../sign-in/refresh-families.ts';
import { PublicStateWrites } from '../state/public-state-writes.ts';
import { repeatWrites } from '../state/repeats.ts';
import { UserStateWrites } from '../state/user-state-writes.ts';
import { accountClearing } from '../sweep/sweep.ts';
import { UsageTotals } from '../usage/usage-totals.ts';
import { type Command, type CommandFailure, type Commands, fastCommands } from './commands.ts';

export interface Connection {
  readonly database: DatabaseSync;
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly dataVersion: StatementSync;
  /** `logLength` reads how many pages the write-ahead log has, and how many of them were copied. The second statement copies them. */
  readonly logLength: StatementSync;
  readonly copyLog: StatementSync;
  readonly usage: UsageTotals;
  readonly states: PublicStateWrites;
  readonly userStates: UserStateWrites;
  readonly commands: Commands;
}

/** Opens a connection. Throws if the database cannot be opened. */
export function connect(path: string, quotas: QuotaLimits): Connection {
  const database = openForWriting(path);
  const usage = new UsageTotals(database);
  const repeats = repeatWrites(database);
  const states = new PublicStateWrites(database, usage, repeats);
  const userStates = new UserStateWrites(database, usage, repeats);
  return {
    database,
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    dataVersion: database.prepare('PRAGMA data_version'),
    logLength: database.prepare('PRAGMA wal_checkpoint(NOOP)'),
    copyLog: database.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
    usage,
    states,
    userStates,
    commands: {
      ...readiness(database),
      ...sharedVerbWrites(database, quotas),
      writePublicState: states.write,
      writeUserState: userStates.write,
      ...accountClearing(database),
      ...refreshFamilyWrites(database),
    },
  };
}

/** The write of the readiness check. */
function readiness(database: DatabaseSync): Pick<Commands, 'checkReady'> {
  // One row, always: a real write, so that a full or failing disk shows.
  const probe = statement(database, 'UPDATE readiness SET probes = probes + 1 WHERE id = 1');
  return {
    checkReady() {
      probe.changes();
    },
  };
}

/** Clears the statements' caches, including changes that are not written yet. */
export function forget({ usage, states, userStates }: Connection): void {
  usage.forget();
  states.forget();
  userStates.forget();
}

/** Runs a command within the transaction. Returns its outcome. If it throws, the transaction must be rolled back. */
export type CommandRunner = (connection: Connection, command: Command) => unknown;

/** Runs a frequent command without a savepoint. */
export const runFast: CommandRunner = (connection, command) =>
  fastCommands.has(command[0]) || verbOf(command)?.isolation === 'statement'
    ? call(connection, command)
    : runGuarded(connection, command);

/**
 * Runs a command in a savepoint. A command that fails through its own fault changes nothing and returns a `CommandFailure`, so the
 * remaining commands can continue. Throws only after an outage.
 */
export const runGuarded: CommandRunner = (connection, command) => {
  const { database, usage, states } = connection;
  // The other commands change the totals of accounts in the database, and what waits for webhooks.
  usage.flush();
  usage.forget();
  states.forgetCollecting();
  if (verbOf(command)?.invalidates !== undefined) forget(connection);
  database.exec('SAVEPOINT command');
  try {
    const outcome = call(connection, command);
    database.exec('RELEASE command');
    return outcome;
  } catch (error) {
    if (isOutage(error) || !database.isTransaction) throw error;
    database.exec('ROLLBACK TO command; RELEASE command');
    forget(connection);
    return { failure: toFailure(error) } satisfies CommandFailure;
  }
};

/** The verb of a shared command. */
export function verbOf(command: Command): Write<never, unknown> | undefined {
  if (command[0] !== 'sharedVerb') return undefined;
  const verb = sharedVerb(command[1]);
  return verb.kind === 'write' ? verb : undefined;
}

type Callable = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

function call({ commands }: Connection, [name, ...values]: Command): unknown {
  return (commands as unknown as Callable)[name]?.(...values);
}
