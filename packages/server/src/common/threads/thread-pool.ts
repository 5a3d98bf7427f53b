/**
 * Threads that do the work of many accounts in turns. A thread starts when there is work, and ends when there has been none for a while.
 * Libraries for this, such as Piscina, take work from one queue as soon as a thread is free: they cannot bound the threads of one account,
 * or hold work that may not be taken yet.
 */
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../requests/refusal.ts';
import { FairQueue, type FairQueueBounds, type Owner } from './fair-queue.ts';
import type { Thread } from './thread.ts';

type PoolThread = Pick<Thread<never, never>, 'ended' | 'isEnding' | 'keepProcess' | 'end'>;

export interface ThreadPoolOptions<OneThread extends PoolThread> {
  readonly start: () => OneThread;
  readonly threadsMax: number;
  /** Whether all threads start together, so that nobody waits for a start while another account keeps the first busy. */
  readonly startsAll: boolean;
  /** How long a thread without work is kept. */
  readonly idleMilliseconds: number;
  /** How much may wait, and how many threads an account may use at one time. */
  readonly bounds: FairQueueBounds;
  /** The message of the refusal if too much is waiting. */
  readonly tooManyWaiting: string;
}

interface Job<OneThread> {
  readonly account: string;
  /** Does the work. Never rejects. */
  run(thread: OneThread): Promise<void>;
  reject(error: unknown): void;
}

export class ThreadPool<OneThread extends PoolThread> {
  readonly #options: ThreadPoolOptions<OneThread>;
  readonly #threads = new Set<OneThread>();
  /** Threads without work, and the timers that end them. */
  readonly #idle = new Map<OneThread, NodeJS.Timeout>();
  readonly #waiting: FairQueue<Job<OneThread>>;
  #isClosed = false;

  constructor(options: ThreadPoolOptions<OneThread>) {
    this.#options = options;
    this.#waiting = new FairQueue(options.bounds);
  }

  /**
   * Does the work in its owner's turn. It has the thread until its promise settles. Rejects as the work does, with what kept a thread from
   * starting, or with a refusal `service_unavailable` if too much is waiting or the pool is closed.
   */
  run<Result>(owner: Owner, weight: number, work: (thread: OneThread) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const job: Job<OneThread> = {
      account: owner.account,
      run: (thread) => work(thread).then(resolve, reject),
      reject,
    };
    if (this.#isClosed) reject(stopped());
    else if (this.#waiting.offer(owner, job, weight)) this.#assign();
    else reject(unavailable(this.#options.tooManyWaiting));
    return promise;
  }

  /** Ends the threads. Unfinished work is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.clear()) job.reject(stopped());
    await Promise.all([...this.#threads].map((thread) => thread.end(stopped())));
  }

  /** Gives waiting work to idle threads. */
  #assign(): void {
    for (;;) {
      const idle = this.#idleThread();
      if (idle === undefined && this.#threads.size >= this.#options.threadsMax) return;
      const job = this.#waiting.take();
      if (job === undefined) return;
      try {
        void this.#give(idle ?? this.#start(), job);
      } catch (error) {
        this.#waiting.done(job.account);
        job.reject(error);
      }
    }
  }

  /** The thread that started first, so that those no longer needed end in time. */
  #idleThread(): OneThread | undefined {
    for (const thread of this.#threads) if (this.#idle.has(thread) && !thread.isEnding) return thread;
    return undefined;
  }

  #start(): OneThread {
    const { startsAll, threadsMax } = this.#options;
    const first = this.#startOne();
    while (startsAll && this.#threads.size < threadsMax) this.#rest(this.#startOne());
    return first;
  }

  #startOne(): OneThread {
    const thread = this.#options.start();
    this.#threads.add(thread);
    void thread.ended.then(() => this.#forget(thread));
    return thread;
  }

  async #give(thread: OneThread, job: Job<OneThread>): Promise<void> {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    thread.keepProcess(true);
    await job.run(thread);
    this.#waiting.done(job.account);
    this.#rest(thread);
    this.#assign();
  }

  #rest(thread: OneThread): void {
    if (thread.isEnding) return;
    thread.keepProcess(false);
    const timer = setTimeout(() => {
      this.#idle.delete(thread);
      void thread.end();
    }, this.#options.idleMilliseconds);
    this.#idle.set(thread, timer.unref());
  }

  /** Another thread replaces one that has ended, if there is work for it. */
  #forget(thread: OneThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#threads.delete(thread);
    if (!this.#isClosed) this.#assign();
  }
}

const stopped = (): Refusal => unavailable('the service has stopped; repeat the request unchanged later');

const unavailable = (message: string): Refusal =>
  new Refusal('service_unavailable', message, { retryAfterSeconds: storageRetryAfterSeconds });
