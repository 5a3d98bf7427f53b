import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { FairQueue, type Owner } from '../common/fair-queue.ts';
import { startOwnThread } from '../common/own-files.ts';
import { Refusal } from '../common/refusal.ts';
import type { Difference, DifferenceRequest } from './difference.ts';
import type { Evaluation, EvaluationRequest } from './evaluate-body.ts';

const mebibyte = 1024 * 1024;
/**
 * As many threads as there are cores, but at least two: one account may occupy all but one, so it cannot make the others wait. More
 * than eight would take more memory than they are worth.
 */
export const evaluationThreadsMax = (cores: number): number => Math.min(Math.max(cores, 2), 8);
/**
 * Characters and bytes that may wait, in all and for one account. Beyond that, requests are refused. One end user or one document takes
 * at most half of the room of its account. A single request is always accepted.
 */
const waitingMax = 128 * mebibyte;
const waitingOfAccountMax = 64 * mebibyte;
/**
 * Measured: the values and texts of 1 MiB of the worst JSON take 30 to 48 MiB while they are evaluated. The rest is a margin: the
 * runtime ends a thread that reaches its limit, but in some places it ends the whole process.
 */
const heapPerBody = 160;
const heapMebibytesMin = 128;
const youngMebibytesMax = 16;

export interface EvaluationThreadsOptions {
  /** Largest body; the memory of a thread is bounded accordingly. */
  readonly bodyBytesMax: number;
  /** How long a thread without work is kept. */
  readonly idleMilliseconds: number;
  /** Default: as many as the cores of the machine allow. */
  readonly threadsMax: number | undefined;
}

/** What a thread is asked, and what it replies: plain data. */
export type ThreadRequest = EvaluationRequest | DifferenceRequest;
type ThreadResult<Request extends ThreadRequest> = Request extends DifferenceRequest ? Difference : Evaluation;

interface Job {
  readonly request: ThreadRequest;
  readonly account: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  failure: unknown;
}

/**
 * Threads for bodies that would hold the event loop too long. A thread starts when there is work, and ends when there has been none for
 * a while. A request whose thread dies is rejected; all others go on.
 */
export class EvaluationThreads {
  readonly #options: EvaluationThreadsOptions;
  readonly #threadsMax: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting: FairQueue<Job>;
  #isClosed = false;

  constructor(options: EvaluationThreadsOptions) {
    this.#options = options;
    this.#threadsMax = options.threadsMax ?? evaluationThreadsMax(availableParallelism());
    this.#waiting = new FairQueue({
      weightMax: waitingMax,
      accountWeightMax: waitingOfAccountMax,
      accountTakenMax: Math.max(this.#threadsMax - 1, 1),
    });
  }

  /**
   * Evaluates the request on a thread when its owner's turn comes. Rejects with a refusal `service_unavailable` when too much is
   * waiting already, and with an error when the thread dies under the request.
   */
  run<Request extends ThreadRequest>(owner: Owner, request: Request): Promise<ThreadResult<Request>> {
    if (this.#isClosed) return Promise.reject(new Error('cannot evaluate a body: the service has stopped'));
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResult<Request>>();
    const job: Job = { request, account: owner.account, resolve, reject };
    if (this.#waiting.offer(owner, job, weightOf(request))) this.#assign();
    else reject(tooManyWaiting());
    return promise;
  }

  /** Ends the threads. Rejects what has not been evaluated. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new Error('a body was not evaluated: the service stopped');
    for (const job of this.#waiting.clear()) job.reject(reason);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  /** Gives waiting requests to threads that have none. */
  #assign(): void {
    while (this.#hasFreeThread()) {
      const job = this.#waiting.take();
      if (job === undefined) return;
      const thread = this.#freeThread();
      clearTimeout(thread.idleTimer);
      thread.job = job;
      thread.worker.ref();
      hand(thread.worker, job.request);
    }
  }

  #hasFreeThread(): boolean {
    return this.#threads.size < this.#threadsMax || [...this.#threads].some(({ job }) => job === undefined);
  }

  #freeThread(): Thread {
    for (const thread of this.#threads) if (thread.job === undefined) return thread;
    return this.#start();
  }

  #start(): Thread {
    const heapMebibytes = Math.ceil((heapPerBody * this.#options.bodyBytesMax) / mebibyte);
    const worker = startOwnThread(new URL('./evaluation-worker.ts', import.meta.url), {
      name: 'evaluation of large bodies',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(heapMebibytes, heapMebibytesMin),
        maxYoungGenerationSizeMb: youngMebibytesMax,
      },
    });
    const thread: Thread = { worker, job: undefined, idleTimer: undefined, failure: undefined };
    worker.on('message', (result: unknown) => this.#finish(thread, result));
    worker.on('error', (error) => {
      thread.failure = error;
    });
    worker.on('exit', () => this.#replaceEnded(thread));
    this.#threads.add(thread);
    return thread;
  }

  #finish(thread: Thread, result: unknown): void {
    const { job } = thread;
    thread.job = undefined;
    if (job !== undefined) this.#waiting.done(job.account);
    job?.resolve(result);
    this.#assign();
    if (thread.job !== undefined) return;
    thread.worker.unref();
    thread.idleTimer = setTimeout(() => {
      this.#threads.delete(thread);
      thread.worker.terminate();
    }, this.#options.idleMilliseconds);
    thread.idleTimer.unref();
  }

  #replaceEnded(thread: Thread): void {
    clearTimeout(thread.idleTimer);
    this.#threads.delete(thread);
    if (thread.job !== undefined) this.#waiting.done(thread.job.account);
    thread.job?.reject(new Error('a body was not evaluated: its thread ended', { cause: thread.failure }));
    if (!this.#isClosed) this.#assign();
  }
}

function hand(worker: Worker, request: ThreadRequest): void {
  if (request.kind === 'difference') {
    worker.postMessage(request);
    return;
  }
  // A copy of its own, so that it can be handed over: what came off a socket shares its memory with other requests.
  const body = new Uint8Array(request.body);
  worker.postMessage({ ...request, body } satisfies EvaluationRequest, [body.buffer]);
}

function weightOf(request: ThreadRequest): number {
  if (request.kind === 'difference') return request.fromText.length + request.toText.length;
  return request.body.length + (request.kind === 'patch' ? (request.currentText?.length ?? 0) : 0);
}

function tooManyWaiting(): Refusal {
  return new Refusal('service_unavailable', 'too many large bodies are waiting; repeat the request unchanged later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}
