import { Worker } from 'node:worker_threads';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../access/refusal.ts';
import type { Evaluation, EvaluationRequest } from './write-evaluation.ts';

/** One thread that is kept busy by a body of the worst kind leaves the other one to everybody else. */
const threadsMax = 2;
/** More characters and bytes than this waiting, and further requests are refused. A single one is always taken. */
const waitingMax = 128 * 1024 * 1024;
const mebibyte = 1024 * 1024;
/**
 * Measured: the values and texts of 1 MiB of the worst JSON take 30 to 48 MiB while they are evaluated. The rest is distance:
 * a thread that meets its limit is ended, but if it happens deep inside the runtime, the whole process is.
 */
const heapPerBody = 160;
const heapMebibytesMin = 128;
const youngMebibytesMax = 16;

export interface EvaluationThreadsOptions {
  /** Largest body; the memory of a thread is bounded accordingly. */
  readonly bodyBytesMax: number;
  /** How long a thread without work is kept. */
  readonly idleMilliseconds: number;
}

interface Job {
  readonly request: EvaluationRequest;
  readonly weight: number;
  resolve(evaluation: Evaluation): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  failure: unknown;
}

/**
 * Threads for what would hold the event loop too long. None runs until there is work, and each one ends when there has been
 * none for a while. A request whose thread dies is rejected; all others go on.
 */
export class EvaluationThreads {
  readonly #options: EvaluationThreadsOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  #waitingWeight = 0;
  #isClosed = false;

  constructor(options: EvaluationThreadsOptions) {
    this.#options = options;
  }

  /**
   * Evaluates the request on a thread. Rejects with a refusal `service_unavailable` when too much is waiting already, and with
   * an error when the thread dies under the request.
   */
  run(request: EvaluationRequest): Promise<Evaluation> {
    if (this.#isClosed) return Promise.reject(new Error('cannot evaluate a body: the service has stopped'));
    const weight = weightOf(request);
    if (this.#waiting.length > 0 && this.#waitingWeight + weight > waitingMax) return Promise.reject(tooManyWaiting());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, weight, resolve, reject });
      this.#waitingWeight += weight;
      this.#assign();
    });
  }

  /** Ends the threads. Rejects what has not been evaluated. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new Error('a body was not evaluated: the service stopped');
    for (const job of this.#waiting.splice(0)) job.reject(reason);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  /** Gives waiting requests, oldest first, to threads that have none. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      const job = this.#waiting.shift() as Job;
      this.#waitingWeight -= job.weight;
      clearTimeout(thread.idleTimer);
      thread.job = job;
      thread.worker.ref();
      // A copy of its own, so that it can be handed over: what came off a socket shares its memory with other requests.
      const body = new Uint8Array(job.request.body);
      thread.worker.postMessage({ ...job.request, body } satisfies EvaluationRequest, [body.buffer]);
    }
  }

  #freeThread(): Thread | undefined {
    for (const thread of this.#threads) if (thread.job === undefined) return thread;
    return this.#threads.size < threadsMax ? this.#start() : undefined;
  }

  #start(): Thread {
    const heapMebibytes = Math.ceil((heapPerBody * this.#options.bodyBytesMax) / mebibyte);
    const worker = new Worker(new URL('./evaluation-worker.ts', import.meta.url), {
      name: 'evaluation of large bodies',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(heapMebibytes, heapMebibytesMin),
        maxYoungGenerationSizeMb: youngMebibytesMax,
      },
    });
    const thread: Thread = { worker, job: undefined, idleTimer: undefined, failure: undefined };
    worker.on('message', (evaluation: Evaluation) => this.#finish(thread, evaluation));
    worker.on('error', (error) => {
      thread.failure = error;
    });
    worker.on('exit', () => this.#bury(thread));
    this.#threads.add(thread);
    return thread;
  }

  #finish(thread: Thread, evaluation: Evaluation): void {
    const { job } = thread;
    thread.job = undefined;
    job?.resolve(evaluation);
    this.#assign();
    if (thread.job !== undefined) return;
    thread.worker.unref();
    thread.idleTimer = setTimeout(() => {
      this.#threads.delete(thread);
      thread.worker.terminate();
    }, this.#options.idleMilliseconds);
    thread.idleTimer.unref();
  }

  #bury(thread: Thread): void {
    clearTimeout(thread.idleTimer);
    this.#threads.delete(thread);
    thread.job?.reject(new Error('a body was not evaluated: its thread ended', { cause: thread.failure }));
    if (!this.#isClosed) this.#assign();
  }
}

function weightOf(request: EvaluationRequest): number {
  return request.body.length + (request.kind === 'patch' ? (request.currentText?.length ?? 0) : 0);
}

function tooManyWaiting(): Refusal {
  return new Refusal('service_unavailable', 'too many large bodies are waiting; repeat the request unchanged later', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
}
