/**
 * Threads on which flags are evaluated. Rules are a tenant's input: what takes too long or too much memory is ended with its thread,
 * and the account goes on beside the others, on a thread where it can only keep its like waiting.
 */
import type { Worker } from 'node:worker_threads';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { FairQueue, type Owner } from '../common/fair-queue.ts';
import { startOwnThread } from '../common/own-files.ts';
import { Refusal } from '../common/refusal.ts';
import { AccountTime } from './account-time.ts';
import { type FlagOutcome, failure } from './evaluate.ts';
import { tooSlow } from './flag.ts';
import type { FlagReply, FlagRequest, FlagThreadSetup } from './flag-messages.ts';
import { noPlace, timeIn, WorkNotes } from './thread-time.ts';

const mebibyte = 1024 * 1024;
/** Two, of which an account may keep one busy: what it sends never makes the others wait. */
const commonThreadsMax = 2;
/** Bytes and characters that may wait, in all and for one account. */
const waitingMax = 64 * mebibyte;
const waitingOfAccountMax = 16 * mebibyte;
/** Processor time of an evaluation, and what reading the largest document takes besides: a tenth of it, measured. */
const evaluationMs = 100;
const compilationMs = 100;
/** On a busy machine a thread may get no processor; then this bounds the time on the clock. */
const clockFactor = 10;
/** Evaluations of one request that may be ended, each for another flag. */
const attemptsMax = 3;
/** How long an account whose evaluation was ended stays apart from the others, and how many such accounts are remembered. */
const apartMs = 60_000;
const apartAccountsMax = 10_000;
const idleMs = 60_000;
/** Documents that are kept take up to 20 MiB, an evaluation 10. The rest is a margin. */
const memory = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 2 };

interface Job {
  readonly request: FlagRequest;
  readonly owner: Owner;
  readonly text: string;
  attempts: number;
  resolve(outcome: FlagOutcome): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly notes: WorkNotes;
  timesFile: string | undefined;
  isReady: boolean;
  /** It takes nothing more: its end is on the way. */
  isEnding: boolean;
  job: Job | undefined;
  /** Ends the thread when it is idle, or takes too long. */
  timer: NodeJS.Timeout | undefined;
  failure: unknown;
}

/** Threads that take their work from one queue. */
interface Lane {
  readonly threadsMax: number;
  /** Its threads take processor time that nobody else wants. */
  readonly isOfLowPriority: boolean;
  readonly threads: Set<Thread>;
  readonly waiting: FairQueue<Job>;
}

const newLane = (threadsMax: number, { isOfLowPriority }: Pick<Lane, 'isOfLowPriority'>): Lane => ({
  threadsMax,
  isOfLowPriority,
  threads: new Set(),
  waiting: new FairQueue({ weightMax: waitingMax, accountWeightMax: waitingOfAccountMax, accountTakenMax: 1 }),
});

/** Threads for flags. None runs until there is work, and each one ends when there has been none for a minute. */
export class FlagThreads {
  readonly #common = newLane(commonThreadsMax, { isOfLowPriority: false });
  /** For accounts that have taken much processor time lately, so that the others do not wait for it. */
  readonly #busy = newLane(1, { isOfLowPriority: true });
  /** For accounts whose evaluation was ended lately. */
  readonly #apart = newLane(1, { isOfLowPriority: true });
  readonly #time = new AccountTime();
  readonly #accountsApart = new LRUCache<string, true>({ max: apartAccountsMax, ttl: apartMs });
  #isClosed = false;

  /**
   * Evaluates in the owner's turn. What takes too long is an outcome as well. `text` is that of the document. Rejects with a refusal
   * `service_unavailable` when too much is waiting, and with an error when no thread can be had.
   */
  run(owner: Owner, request: FlagRequest, text: string): Promise<FlagOutcome> {
    if (this.#isClosed) return Promise.reject(new Error('cannot evaluate flags: the service has stopped'));
    return new Promise((resolve, reject) => this.#offer({ request, owner, text, attempts: 0, resolve, reject }));
  }

  /** Ends the threads. Rejects what has not been evaluated. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new Error('flags were not evaluated: the service stopped');
    const lanes = [this.#common, this.#busy, this.#apart];
    for (const job of lanes.flatMap(({ waiting }) => waiting.clear())) job.reject(reason);
    await Promise.all(lanes.flatMap(({ threads }) => [...threads].map(({ worker }) => worker.terminate())));
  }

  #offer(job: Job): void {
    const lane = this.#laneOf(job);
    const weight = job.request.body.length + job.text.length;
    if (lane.waiting.offer(job.owner, job, weight)) this.#assign(lane);
    else job.reject(tooManyWaiting());
  }

  #laneOf({ owner: { account } }: Job): Lane {
    if (this.#accountsApart.has(account)) return this.#apart;
    return this.#time.isBusy(account, performance.now()) ? this.#busy : this.#common;
  }

  /** Gives waiting work to threads that have none. */
  #assign(lane: Lane): void {
    for (;;) {
      const free = [...lane.threads].find(({ job, isEnding }) => job === undefined && !isEnding);
      if (free === undefined && lane.threads.size >= lane.threadsMax) return;
      const job = lane.waiting.take();
      if (job === undefined) return;
      if (this.#laneOf(job) !== lane) {
        lane.waiting.done(job.owner.account);
        this.#offer(job);
        continue;
      }
      const thread = free ?? this.#startAll(lane);
      clearTimeout(thread.timer);
      thread.job = job;
      thread.worker.ref();
      if (thread.isReady) ask(thread, job, undefined);
    }
  }

  /** Starts every thread that the lane may have, so that nobody waits for a start while another account keeps the first one busy. */
  #startAll(lane: Lane): Thread {
    const thread = this.#start(lane);
    while (lane.threads.size < lane.threadsMax) this.#start(lane);
    return thread;
  }

  #start(lane: Lane): Thread {
    const notes = new WorkNotes();
    const worker = startOwnThread(new URL('./flag-worker.ts', import.meta.url), {
      name: 'evaluation of flags',
      workerData: { notesBuffer: notes.buffer, isOfLowPriority: lane.isOfLowPriority } satisfies FlagThreadSetup,
      resourceLimits: memory,
    });
    const thread: Thread = {
      worker,
      notes,
      timesFile: undefined,
      isReady: false,
      isEnding: false,
      job: undefined,
      timer: undefined,
      failure: undefined,
    };
    worker.on('message', (reply: FlagReply) => this.#take(lane, thread, reply));
    worker.on('error', (error) => {
      thread.failure = error;
    });
    worker.on('exit', () => this.#replaceEnded(lane, thread));
    lane.threads.add(thread);
    return thread;
  }

  #take(lane: Lane, thread: Thread, reply: FlagReply): void {
    clearTimeout(thread.timer);
    const { job } = thread;
    thread.isReady = true;
    if (reply.kind === 'ready') thread.timesFile = reply.timesFile;
    if (job === undefined) {
      rest(thread);
      return;
    }
    if (reply.kind === 'ready' || reply.kind === 'unknown_document') {
      ask(thread, job, reply.kind === 'ready' ? undefined : job.text);
      return;
    }
    thread.job = undefined;
    this.#time.add(job.owner.account, thread.notes.takenMs, performance.now());
    lane.waiting.done(job.owner.account);
    job.resolve(reply);
    this.#assign(lane);
    if (thread.job === undefined && !thread.isEnding) rest(thread);
  }

  /** A thread that ends under its work was ended for what it did. */
  #replaceEnded(lane: Lane, thread: Thread): void {
    clearTimeout(thread.timer);
    lane.threads.delete(thread);
    const { job } = thread;
    if (job !== undefined) {
      lane.waiting.done(job.owner.account);
      if (this.#isClosed || !thread.isReady) job.reject(notEvaluated(thread.failure));
      else if (thread.notes.begunMs === undefined)
        job.reject(tooManyWaiting()); // the machine had no processor for it
      else this.#setApart(job, thread.notes.place);
    }
    if (!this.#isClosed) this.#assign(lane);
  }

  /** Tries again without the flag that took too long, while that can be told and is worth it. */
  #setApart(job: Job, place: number): void {
    this.#accountsApart.set(job.owner.account, true);
    const { request } = job;
    const attempts = job.attempts + 1;
    if (request.key !== undefined || place === noPlace || attempts >= attemptsMax) {
      job.resolve(failure('flag', request.key, 'GENERAL', `the flags cannot be evaluated: ${tooSlow}`));
      return;
    }
    this.#offer({ ...job, attempts, request: { ...request, skipped: [...request.skipped, place] } });
  }
}

/** Sends the work, and watches how long it takes. */
function ask(thread: Thread, { request }: Job, text: string | undefined): void {
  thread.notes.send();
  thread.worker.postMessage({ ...request, text } satisfies FlagRequest);
  watch(thread, text === undefined ? evaluationMs : evaluationMs + compilationMs);
}

/** Keeps a thread that has nothing to do for a while. */
function rest(thread: Thread): void {
  thread.worker.unref();
  thread.timer = setTimeout(end, idleMs, thread);
  thread.timer.unref();
}

function end(thread: Thread): void {
  thread.isEnding = true;
  void thread.worker.terminate();
}

const notEvaluated = (cause: unknown): Error => new Error('flags were not evaluated: their thread ended', { cause });

/** Ends a thread that takes more processor time than `milliseconds` for its work. */
function watch(thread: Thread, milliseconds: number): void {
  const begun = performance.now();
  const look = (): void => {
    const taken = timeTaken(thread) ?? performance.now() - begun;
    const isOver = taken >= milliseconds || performance.now() - begun >= clockFactor * milliseconds;
    if (isOver) end(thread);
    else thread.timer = setTimeout(look, Math.max(milliseconds - taken, 10));
  };
  thread.timer = setTimeout(look, milliseconds);
}

/** Processor time that the work of a thread has taken, in milliseconds; undefined where the system does not tell. */
function timeTaken({ notes: { begunMs }, timesFile }: Thread): number | undefined {
  const now = timesFile === undefined ? undefined : timeIn(timesFile);
  if (now === undefined) return undefined;
  return begunMs === undefined ? 0 : now - begunMs;
}

function tooManyWaiting(): Refusal {
  return new Refusal('service_unavailable', 'too many evaluations of flags are waiting; repeat the request later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}
