/** Evaluates the bodies of state writes: small ones on the main thread, large ones on threads of their own. */
import type { ValueEnds } from '@holdfast/json';
import type { Owner } from '../common/fair-queue.ts';
import { Refusal } from '../common/refusal.ts';
import type { Awaitable } from '../storage/store.ts';
import { differenceOf } from './difference.ts';
import { type Evaluation, type EvaluationRequest, evaluateQuickly } from './evaluate-body.ts';
import { EvaluationThreads } from './evaluation-threads.ts';

/**
 * Bodies up to this size are evaluated on the main thread: 64 KiB of the worst JSON hold it for 5 to 20 ms, ordinary ones for less than
 * 1 ms, and a message to a thread and back takes about as long.
 */
const bodyBytesHereMax = 65_536;

/** Pairs of documents up to this many characters together are compared on the main thread: parsing them is most of the work. */
const comparedHereCharactersMax = 16_384;

const defaultIdleMilliseconds = 10_000;

/** Evaluates the bodies of state writes without holding the event loop for long. */
export interface Evaluator {
  /**
   * The result of a body, in its owner's turn. Refuses what the body is refused for, and `service_unavailable` when too many large
   * bodies are waiting. Rejects with an error when the evaluation itself fails. `ends` is what is known of the text that a patch changes.
   */
  evaluate(owner: Owner, request: EvaluationRequest, ends?: ValueEnds): Promise<Exclude<Evaluation, { kind: 'refused' }>>;
  /**
   * The operations that lead from one stored document to another, as JSON text; undefined when they are too long to tell, or too many
   * large documents are waiting. Rejects with an error when the comparison itself fails.
   */
  compare(owner: Owner, fromText: string, toText: string): Promise<string | undefined>;
  /** Ends the threads for large bodies. */
  close(): Promise<void>;
}

export interface EvaluatorOptions {
  /** Runs a piece of work of an owner now or in a later turn of the event loop. */
  readonly inTurn: <Result>(owner: () => Owner, work: () => Result) => Awaitable<Result>;
  /** The largest possible body. */
  readonly bodyBytesMax: number;
  /** How long a thread without work is kept. Default 10 s. */
  readonly idleMilliseconds?: number;
  /** How many threads there may be. By default that follows from the cores of the machine. */
  readonly threadsMax?: number;
}

/** Makes an evaluator. It has no thread until the first large body. */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { inTurn, bodyBytesMax, idleMilliseconds = defaultIdleMilliseconds, threadsMax } = options;
  const threads = new EvaluationThreads({ bodyBytesMax, idleMilliseconds, threadsMax });

  const evaluateHere = (
    owner: Owner,
    request: EvaluationRequest,
    ends: ValueEnds | undefined,
  ): Awaitable<Evaluation | undefined> =>
    request.body.length > bodyBytesHereMax
      ? undefined
      : inTurn(
          () => owner,
          () => evaluateQuickly(request, ends),
        );

  return {
    async evaluate(owner, request, ends) {
      const evaluation = (await evaluateHere(owner, request, ends)) ?? (await threads.run(owner, request));
      if (evaluation.kind === 'refused') throw new Refusal(evaluation.code, evaluation.message);
      return evaluation;
    },
    async compare(owner, fromText, toText) {
      const request = { kind: 'difference', fromText, toText } as const;
      if (fromText.length + toText.length <= comparedHereCharactersMax) {
        const difference = inTurn(
          () => owner,
          () => differenceOf(request),
        );
        return (await difference).operations;
      }
      try {
        return (await threads.run(owner, request)).operations;
      } catch (error) {
        if (error instanceof Refusal) return undefined;
        throw error;
      }
    },
    close: () => threads.close(),
  };
}
