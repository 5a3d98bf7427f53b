import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Command, CommandFailure, Commands, Reply, SingleCommandName } from './commands.ts';
import { openForWriting, writerBusyMilliseconds } from './database.ts';
import { federationWrites } from './federation-writes.ts';
import { identityWrites, singleIdentityWrites } from './identity-writes.ts';
import { managementWrites } from './management-writes.ts';
import { passkeyWrites, singlePasskeyWrites } from './passkey-writes.ts';
import { signInWrites, singleSignInWrites } from './sign-in-writes.ts';
import { PublicStateWrites } from './state-writes.ts';
import { sweepSlice } from './sweep.ts';
import { UsageTotals } from './usage-totals.ts';
import { usageWrites } from './usage-writes.ts';
import { endUserDeletion, UserStateWrites } from './user-state-writes.ts';

/**
 * Pages in the write-ahead log, 8 KiB each, from which on they are copied into the database. Measured: four times as many
 * save a twentieth of the processor time and make the longest pause four times as long.
 */
const checkpointPages = 1_000;

/** One open connection with its statements and what they remember. */
interface Connection {
  readonly database: DatabaseSync;
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly dataVersion: StatementSync;
  readonly walLength: StatementSync;
  readonly usage: UsageTotals;
  readonly states: PublicStateWrites;
  readonly userStates: UserStateWrites;
  /** Writes that are atomic by themselves. */
  readonly singles: Pick<Commands, SingleCommandName>;
  /** Writes of several statements, for which `run` takes a savepoint. */
  readonly others: Omit<Commands, SingleCommandName>;
}

/** Failures of one statement that leave the transaction, and the statements around it, as they were. */
const isolatedFailures = new Set([18 /* TOOBIG */, 19 /* CONSTRAINT */, 20 /* MISMATCH */, 25 /* RANGE */]);

/**
 * The writer's connection through good and bad times: after a failure that is not the fault of one command it is opened
 * afresh, and as long as that fails, so does every commit.
 */
export class WriterSession {
  readonly #path: string;
  #connection: Connection | undefined;
  /** `PRAGMA data_version` when last seen; it changes through other connections only. Undefined: anything may differ. */
  #dataVersion: number | undefined;
  /** Whether the write-ahead log may hold what was deleted so that it is forgotten. */
  #hasToForget = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the database. Throws when that fails. */
  open(): void {
    const connection = connect(this.#path);
    this.#connection = connection;
    this.#dataVersion = readDataVersion(connection);
  }

  /** Runs all commands in one transaction. Returns the reply to them; never throws. */
  commit(commands: readonly Command[]): Reply {
    try {
      const outcomes: unknown[] = [];
      const changed = this.#transact((connection) => {
        for (const command of commands) {
          outcomes.push(run(connection, command));
          if (command[0] === 'deleteEndUser' || command[0] === 'deleteUser') this.#hasToForget = true;
        }
        connection.usage.flush();
      });
      return changed ? { outcomes, changed } : { outcomes };
    } catch (error) {
      // What was thought to be known of the database is not, so the other side forgets as well.
      const failure: CommandFailure = { failure: describe(error) };
      return { changed: true, outcomes: commands.map(() => failure) };
    }
  }

  /** One slice of the sweep in a transaction of its own; a failure is left for the next time. */
  sweep(): { more: boolean; changed: boolean } {
    try {
      let more = false;
      // Looked up before anything is locked or written: most of the time there is nothing to sweep.
      const connection = this.#connected();
      if (connection.database.prepare('SELECT 1 FROM orphans LIMIT 1').get() === undefined) {
        if (this.#hasToForget) this.#emptyLog(connection);
        return { more, changed: false };
      }
      this.#hasToForget = true;
      const changed = this.#transact(({ database }) => {
        more = sweepSlice(database);
      });
      this.checkpointWhenLong();
      return { more, changed };
    } catch {
      return { more: false, changed: true };
    }
  }

  /** Whether another process has committed since this was last looked at. */
  hasChanged(): boolean {
    try {
      return this.#noteChange(this.#connected());
    } catch {
      this.#discard();
      return true;
    }
  }

  /** Copies the write-ahead log into the database when it has grown long. To be called when nobody waits for an answer. */
  checkpointWhenLong(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    try {
      const wal = connection.walLength.get() as { log: number; checkpointed: number };
      if (wal.log - wal.checkpointed >= checkpointPages) connection.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      this.#discard();
    }
  }

  close(): void {
    this.#discard();
  }

  /** Empties the write-ahead log, unless somebody is reading; then it is for the next time, and nobody waits. */
  #emptyLog({ database }: Connection): void {
    database.exec('PRAGMA busy_timeout = 0');
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    database.exec(`PRAGMA busy_timeout = ${writerBusyMilliseconds}`);
    this.#hasToForget = busy !== 0;
  }

  /** Runs `work` in a transaction. Returns whether another process had changed the database before it. */
  #transact(work: (connection: Connection) => void): boolean {
    try {
      const connection = this.#connected();
      connection.begin.run();
      // Inside the transaction nobody else can write: what is remembered from here on is exact.
      const changed = this.#noteChange(connection);
      work(connection);
      connection.commit.run();
      return changed;
    } catch (error) {
      this.#discard();
      throw error;
    }
  }

  #noteChange(connection: Connection): boolean {
    const dataVersion = readDataVersion(connection);
    if (dataVersion === this.#dataVersion) return false;
    this.#dataVersion = dataVersion;
    forget(connection);
    return true;
  }

  #connected(): Connection {
    this.#connection ??= connect(this.#path);
    return this.#connection;
  }

  /** Closes the connection, which rolls back what is open. The next use opens another, to which everything is new. */
  #discard(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#dataVersion = undefined;
    try {
      connection?.database.close();
    } catch {
      // It is given up in any case.
    }
  }
}

function connect(path: string): Connection {
  const database = openForWriting(path);
  const usage = new UsageTotals(database);
  const states = new PublicStateWrites(database, usage);
  const userStates = new UserStateWrites(database, usage);
  return {
    database,
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    dataVersion: database.prepare('PRAGMA data_version'),
    walLength: database.prepare('PRAGMA wal_checkpoint(NOOP)'),
    usage,
    states,
    userStates,
    singles: {
      writePublicState: states.write,
      writeUserState: userStates.write,
      ...singleSignInWrites(database),
      ...singleIdentityWrites(database),
      ...singlePasskeyWrites(database),
    },
    others: {
      ...managementWrites(database),
      ...signInWrites(database),
      ...identityWrites(database),
      ...passkeyWrites(database),
      ...federationWrites(database),
      ...endUserDeletion(database),
      ...usageWrites(database),
    },
  };
}

function forget({ usage, states, userStates }: Connection): void {
  usage.forget();
  states.forget();
  userStates.forget();
}

function readDataVersion(connection: Connection): number {
  return connection.dataVersion.get()?.data_version as number;
}

/** Runs one command. Returns its outcome, or its failure when the others are none the worse for it. */
function run(connection: Connection, command: Command): unknown {
  try {
    const [name, ...values] = command;
    if (name in connection.singles) return call(connection.singles, name, values);
    return runInSavepoint(connection, name, values);
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
    if (code !== undefined && !isolatedFailures.has(code)) throw error;
    return { failure: describe(error) };
  }
}

type Callable = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const call = (commands: object, name: string, values: readonly unknown[]): unknown =>
  (commands as Callable)[name]?.(...values);

function runInSavepoint(connection: Connection, name: Command[0], values: readonly unknown[]): unknown {
  const { database, others, usage } = connection;
  // What these change in the totals of accounts they change in the database.
  usage.flush();
  usage.forget();
  if (name === 'deleteProject' || name === 'deleteAccount') forget(connection);
  database.exec('SAVEPOINT command');
  try {
    const outcome = call(others, name, values);
    database.exec('RELEASE command');
    return outcome;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK TO command; RELEASE command');
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
