import type { Owner } from '../common/fair-queue.ts';
import { Refusal } from '../common/refusal.ts';
import type { Awaitable } from '../storage/store.ts';
import { type Evaluation, type EvaluationRequest, evaluateQuickly } from './evaluation.ts';
import { EvaluationThreads } from './evaluation-threads.ts';

/**
 * Bodies up to this size are evaluated on the main thread: 64 KiB of the worst JSON hold it for 5 to 20 ms, ordinary ones for
 * less than 1 ms, and going to a thread and back takes about as long.
 */
const bodyBytesHereMax = 65_536;

const defaultIdleMilliseconds = 10_000;

/** Evaluates the bodies of state writes without holding the event loop for long. */
export interface Evaluator {
  /**
   * What the body comes to, in its owner's turn. Refuses what the body is refused for, and `service_unavailable` when too many large
   * bodies are waiting. Rejects with an error when the evaluation fails by itself.
   */
  evaluate(owner: Owner, request: EvaluationRequest): Promise<Exclude<Evaluation, { kind: 'refused' }>>;
  /** Ends the threads that large bodies have had started. */
  close(): Promise<void>;
}

export interface EvaluatorOptions {
  /** Runs a piece of work of an owner now or in a later turn of the event loop. */
  readonly inTurn: <Result>(owner: () => Owner, work: () => Result) => Awaitable<Result>;
  /** Largest body that there can be. */
  readonly bodyBytesMax: number;
  /** How long a thread without work is kept. Default 10 s. */
  readonly idleMilliseconds?: number;
  /** How many threads there may be. Default: what the cores of the machine allow. */
  readonly threadsMax?: number;
}

/** Makes an evaluator. It has no thread until the first large body. */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { inTurn, bodyBytesMax, idleMilliseconds = defaultIdleMilliseconds, threadsMax } = options;
  const threads = new EvaluationThreads({ bodyBytesMax, idleMilliseconds, threadsMax });

  const evaluateHere = (owner: Owner, request: EvaluationRequest): Awaitable<Evaluation | undefined> =>
    request.body.length > bodyBytesHereMax
      ? undefined
      : inTurn(
          () => owner,
          () => evaluateQuickly(request),
        );

  return {
    async evaluate(owner, request) {
      const evaluation = (await evaluateHere(owner, request)) ?? (await threads.run(owner, request));
      if (evaluation.kind === 'refused') throw new Refusal(evaluation.code, evaluation.message);
      return evaluation;
    },
    close: () => threads.close(),
  };
}
