import { availableParallelism } from 'node:os';
import type { Owner } from '../common/fair-queue.ts';
import { startOwnThread } from '../common/own-files.ts';
import { Thread } from '../common/thread.ts';
import { ThreadPool } from '../common/thread-pool.ts';
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

/** Threads for bodies that would hold the event loop too long. A request whose thread dies is rejected; all others go on. */
export class EvaluationThreads {
  readonly #pool: ThreadPool<Thread<ThreadRequest, Evaluation | Difference>>;

  constructor({ bodyBytesMax, idleMilliseconds, threadsMax }: EvaluationThreadsOptions) {
    const most = threadsMax ?? evaluationThreadsMax(availableParallelism());
    this.#pool = new ThreadPool({
      start: () => startThread(bodyBytesMax),
      threadsMax: most,
      startsAll: false,
      idleMilliseconds,
      bounds: {
        weightMax: waitingMax,
        accountWeightMax: waitingOfAccountMax,
        accountTakenMax: Math.max(most - 1, 1),
      },
      tooManyWaiting: 'too many large bodies are waiting; repeat the request unchanged later',
    });
  }

  /**
   * Evaluates the request on a thread when its owner's turn comes. Rejects with a refusal `service_unavailable` when too much is
   * waiting already or the service has stopped, and with `ThreadEnded` when the thread dies under the request.
   */
  run<Request extends ThreadRequest>(owner: Owner, request: Request): Promise<ThreadResult<Request>> {
    return this.#pool.run(owner, weightOf(request), (thread) => ask(thread, request)) as Promise<ThreadResult<Request>>;
  }

  /** Ends the threads. What has not been evaluated is refused. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

function startThread(bodyBytesMax: number): Thread<ThreadRequest, Evaluation | Difference> {
  const heapMebibytes = Math.ceil((heapPerBody * bodyBytesMax) / mebibyte);
  return new Thread(
    startOwnThread(new URL('./evaluation-worker.ts', import.meta.url), {
      name: 'evaluation of large bodies',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(heapMebibytes, heapMebibytesMin),
        maxYoungGenerationSizeMb: youngMebibytesMax,
      },
    }),
  );
}

function ask<Reply>(thread: Thread<ThreadRequest, Reply>, request: ThreadRequest): Promise<Reply> {
  if (request.kind === 'difference') return thread.ask(request);
  // A copy of its own, so that it can be handed over: what came off a socket shares its memory with other requests.
  const body = new Uint8Array(request.body);
  return thread.ask({ ...request, body }, [body.buffer]);
}

function weightOf(request: ThreadRequest): number {
  if (request.kind === 'difference') return request.fromText.length + request.toText.length;
  return request.body.length + (request.kind === 'patch' ? (request.currentText?.length ?? 0) : 0);
}
