import type { Worker } from 'node:worker_threads';
import { startProgramThread } from '../../../common/program/program-files.ts';
import type { BackgroundObserver, StoreObserver } from '../../contract/store-observer.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import { StoreUnavailable } from '../../store.ts';
import { errorOf, writeError } from '../faults.ts';
import type {
  Command,
  CommandArguments,
  CommandFailure,
  CommandName,
  CommandOutcome,
  Reply,
  Request,
  WriterOptions,
} from './commands.ts';

/** The maximum number of unfinished writes, and of their characters (at most 2 bytes each). Further writes are refused. */
const writesMax = 10_000;
const charactersMax = 128 * 1024 * 1024;
/** The maximum number of characters in one message, which bounds the writer thread's memory. */
const messageCharactersMax = 4 * 1024 * 1024;
/**
 * How many outcomes are handed back in one turn of the event loop, limited by number and by characters of their commands. Each leads to a
 * response, some 30 µs of work and more for a large document, and other clients must not wait for all of a large group. Turns also have a
 * cost: with 16 outcomes per turn, a write took a twentieth more processor time.
 */
const turnMax = { outcomes: 64, characters: 200_000 };
/** The maximum time for which a write is held back so that other writes can join it. */
const gatheringMilliseconds = 5;
/**
 * Gathering ends after this many turns of the event loop without a further write. An idle turn takes some microseconds, and a client takes
 * somewhat longer to send its next request. Measured: with 64 clients, a write takes a tenth less processor time than with one turn, since
 * more writes share a sync; with one client, a fortieth more.
 */
const quietTurnsMax = 8;
/** How long to wait before restarting a writer thread that died. */
const restartBackoff = { firstMilliseconds: 100, maxMilliseconds: 5_000 };
/**
 * Limits of the writer's memory. It holds the strings of one transaction and little else; exceeding this is a defect and ends the thread.
 */
const writerMemory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** What follows an outcome before anybody learns of it. */
export interface Settlement<Outcome, Result> {
  /** Returns the result of a command with this outcome. Must not throw. */
  settled(outcome: Outcome): Result;
  /** Called if the command was refused, has failed, or may have. */
  failed(): void;
}

/** Most commands result in their outcomes. */
const plain: Settlement<unknown, unknown> = { settled: (outcome) => outcome, failed: () => undefined };

interface Waiting {
  readonly characters: number;
  readonly settlement: Settlement<unknown, unknown>;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Observers of the queue. */
export interface WriteQueueObservers {
  /** Called when another process has changed the database, or may have. */
  readonly onChange: () => void;
  readonly background: BackgroundObserver;
  /** Observes commits, failures and the queue. */
  readonly observer: StoreObserver | undefined;
}

/**
 * The main thread's side of the writer. It gathers into one message the writes that arrive while the writer is busy, or in consecutive
 * turns of the event loop. It hands back the outcomes in order, and restarts the thread if it dies.
 */
export class WriteQueue {
  readonly #options: WriterOptions;
  readonly #onChange: () => void;
  readonly #observer: StoreObserver | undefined;
  readonly #background: BackgroundObserver;
  readonly #thread: BackgroundWork;
  #worker: Worker | undefined;
  /** Whether this worker has carried out a command. */
  #hasWorked = false;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  #isOpen = false;
  #stopped: PromiseWithResolvers<void> | undefined;
  #failure: unknown;
  #gathered: Command[] = [];
  #gatheredCharacters = 0;
  /** Until when further commands may join the gathered ones; undefined if none are gathered. */
  #gatheringEndsAt: number | undefined;
  /** How many commands were gathered at the end of the last turn of the event loop. */
  #gatheredBefore = 0;
  /** How many turns since then have added no command. */
  #quietTurns = 0;
  /** How many posted commands have no outcome yet. */
  #posted = 0;
  #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  /** Outcomes received and not yet handed back; they belong to the first commands in `#waiting`. */
  #outcomes: unknown[] = [];

  private constructor(options: WriterOptions, observers: WriteQueueObservers) {
    this.#options = options;
    this.#onChange = observers.onChange;
    this.#observer = observers.observer;
    this.#background = observers.background;
    this.#thread = new BackgroundWork('writer', observers.background, restartBackoff);
  }

  /** Starts the writer thread. Rejects with the reason if it cannot open the database. */
  static async start(options: Omit<WriterOptions, 'measures'>, observers: WriteQueueObservers): Promise<WriteQueue> {
    const { observer } = observers;
    const queue = new WriteQueue({ ...options, measures: observer !== undefined }, observers);
    queue.#start();
    try {
      await queue.#ready.promise;
      queue.#isOpen = true;
      observer?.onOpen(() => queue.#waiting.length);
      return queue;
    } catch (error) {
      queue.#stopped = Promise.withResolvers();
      throw error;
    }
  }

  /**
   * Sends a command to the writer. Resolves with its outcome once that is durable. Rejects with `StoreUnavailable` if the queue is full or
   * closed, the database cannot be written to, or the fate of the write is unknown; with `StoreFault` for any other error, after which none
   * of the command's changes are stored. `characters` is its approximate size.
   */
  submit<Name extends CommandName>(
    characters: number,
    name: Name,
    ...values: CommandArguments<Name>
  ): Promise<CommandOutcome<Name>> {
    return this.#send(characters, [name, ...values] as unknown as Command, plain) as Promise<CommandOutcome<Name>>;
  }

  /** Sends a command like `submit`. Resolves with what `settlement` makes of its outcome; a promise of its own would cost a turn. */
  submitTo<Name extends CommandName, Result>(
    settlement: Settlement<CommandOutcome<Name>, Result>,
    characters: number,
    command: readonly [name: Name, ...values: CommandArguments<Name>],
  ): Promise<Awaited<Result>> {
    const sent = this.#send(characters, command as unknown as Command, settlement as Settlement<unknown, Result>);
    return sent as Promise<Awaited<Result>>;
  }

  #send(characters: number, command: Command, settlement: Settlement<unknown, unknown>): Promise<unknown> {
    const refused = this.#refusalOf(characters);
    if (refused !== undefined) {
      settlement.failed();
      return Promise.reject(new StoreUnavailable(`cannot write: ${refused}`));
    }
    this.#gathered.push(command);
    this.#gatheredCharacters += characters;
    this.#waitingCharacters += characters;
    if (this.#gatheredCharacters >= messageCharactersMax) this.#post();
    // Commands that arrive while the writer is busy join its next transaction.
    else if (this.#posted === 0) this.#gather();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ characters, settlement, resolve, reject });
    });
  }

  /** Why a command cannot be sent now; undefined if it can. */
  #refusalOf(characters: number): string | undefined {
    if (this.#stopped !== undefined) return 'the store is closed';
    if (this.#worker === undefined) return 'the writer is starting again';
    const isFull = this.#waiting.length >= writesMax || this.#waitingCharacters + characters > charactersMax;
    return isFull ? `${this.#waiting.length} writes are waiting already` : undefined;
  }

  /** Finishes the submitted commands, then ends the writer thread. */
  async close(): Promise<void> {
    if (this.#stopped === undefined) {
      this.#stopped = Promise.withResolvers();
      this.#post();
      if (this.#worker === undefined) this.#stopped.resolve();
      else this.#worker.postMessage(null satisfies Request);
    }
    await this.#stopped.promise;
  }

  #start(): void {
    const worker = startProgramThread(new URL('./writer.ts', import.meta.url), {
      name: 'storage writer',
      workerData: this.#options,
      resourceLimits: writerMemory,
    });
    worker.on('message', this.#receive);
    worker.on('error', (error) => {
      this.#failure = error;
    });
    worker.on('exit', this.#onExit);
    this.#worker = worker;
    this.#hasWorked = false;
    this.#failure = undefined;
  }

  /**
   * Posts the gathered commands once some turns of the event loop add no more. A transaction costs some 300 µs in addition to its writes,
   * so waiting pays while requests keep coming.
   */
  #gather(): void {
    if (this.#gatheringEndsAt !== undefined) return;
    this.#gatheringEndsAt = performance.now() + gatheringMilliseconds;
    this.#gatheredBefore = 0;
    this.#quietTurns = 0;
    setImmediate(this.#postWhenQuiet);
  }

  readonly #postWhenQuiet = (): void => {
    const count = this.#gathered.length;
    this.#quietTurns = count > this.#gatheredBefore ? 0 : this.#quietTurns + 1;
    if (this.#quietTurns < quietTurnsMax && performance.now() < (this.#gatheringEndsAt ?? 0)) {
      this.#gatheredBefore = count;
      setImmediate(this.#postWhenQuiet);
    } else {
      this.#gatheringEndsAt = undefined;
      this.#post();
    }
  };

  #post(): void {
    if (this.#gathered.length === 0) return;
    this.#worker?.postMessage({ commands: this.#gathered, characters: this.#gatheredCharacters } satisfies Request);
    this.#posted += this.#gathered.length;
    this.#gathered = [];
    this.#gatheredCharacters = 0;
  }

  readonly #receive = (reply: Reply): void => {
    if (reply.ready) this.#ready.resolve();
    if (reply.changed) this.#onChange();
    const { outcomes, background } = reply;
    if (background !== undefined) this.#tell(background);
    if (outcomes === undefined) return;
    if (!this.#hasWorked) {
      this.#hasWorked = true;
      this.#thread.succeed();
    }
    if (this.#observer !== undefined) observe(this.#observer, outcomes, reply.milliseconds ?? 0);
    this.#posted -= outcomes.length;
    if (this.#posted === 0 && this.#gathered.length > 0) this.#gather();
    const isIdle = this.#outcomes.length === 0;
    for (const outcome of outcomes) this.#outcomes.push(outcome);
    if (isIdle) this.#settle();
  };

  #tell({ task, failure }: NonNullable<Reply['background']>): void {
    if (failure === undefined) this.#background.onBackgroundRecovery(task);
    else this.#background.onBackgroundFailure(task, errorOf(failure));
  }

  /** Hands back as many outcomes as one turn allows, and leaves the rest to the next turns. */
  readonly #settle = (): void => {
    const countMax = Math.min(turnMax.outcomes, this.#outcomes.length);
    let count = 0;
    for (let characters = 0; count < countMax && characters < turnMax.characters; count++) {
      characters += (this.#waiting[count] as Waiting).characters;
    }
    this.#settleFirst(count);
    if (this.#outcomes.length > 0) setImmediate(this.#settle);
  };

  #settleFirst(count: number): void {
    const outcomes = this.#outcomes.splice(0, count);
    const waiting = this.#take(count);
    for (let i = 0; i < count; i++) settle(waiting[i] as Waiting, outcomes[i]);
  }

  #take(count: number): Waiting[] {
    const taken = this.#waiting.splice(0, count);
    for (const { characters } of taken) this.#waitingCharacters -= characters;
    return taken;
  }

  readonly #onExit = (code: number): void => {
    this.#worker = undefined;
    this.#gathered = [];
    this.#gatheredCharacters = 0;
    this.#posted = 0;
    this.#settleFirst(this.#outcomes.length);
    const cause = this.#failure ?? new Error(`the thread ended with code ${code}`);
    const reason = new StoreUnavailable('cannot write: the writer thread ended', { cause });
    this.#ready.reject(cause);
    this.#onChange();
    if (this.#waiting.length > 0) this.#observer?.onFailure(this.#waiting.length);
    for (const waiting of this.#take(this.#waiting.length)) fail(waiting, reason);
    if (this.#stopped !== undefined) this.#stopped.resolve();
    else if (this.#isOpen) setTimeout(() => this.#stopped ?? this.#start(), this.#thread.fail(reason));
  };
}

function observe(observer: StoreObserver, outcomes: readonly unknown[], milliseconds: number): void {
  const failures = outcomes.filter(isFailure).length;
  if (failures > 0) observer.onFailure(failures);
  if (failures < outcomes.length) observer.onCommit(outcomes.length - failures, milliseconds);
}

function isFailure(outcome: unknown): outcome is CommandFailure {
  return typeof outcome === 'object' && outcome !== null && 'failure' in outcome;
}

function settle(waiting: Waiting, outcome: unknown): void {
  if (isFailure(outcome)) fail(waiting, writeError(outcome.failure));
  else waiting.resolve(waiting.settlement.settled(outcome));
}

function fail({ settlement, reject }: Waiting, error: Error): void {
  settlement.failed();
  reject(error);
}
