/** Evaluates the bodies of state writes: small ones on the main thread, large ones on other threads. */
import { availableParallelism } from 'node:os';
import type { ValueEnds } from '@holdfast/json';
import { LRUCache } from 'lru-cache';
import { type Awaitable, mapAwaitable } from '../../common/async/awaitable.ts';
import { startProgramThread } from '../../common/program/program-files.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';
import { Thread } from '../../common/threads/thread.ts';
import { ThreadPool } from '../../common/threads/thread-pool.ts';
import type { ActiveSchema } from './active-schema.ts';
import { type Difference, type DifferenceRequest, differenceOf } from './difference.ts';
import { isKnownHere, learnSchema } from './document-validation.ts';
import { type Evaluation, type EvaluationRequest, evaluateQuickly, evaluateSmallChange } from './evaluate-body.ts';
import type { MergeReply, MergeRequest } from './merge-request.ts';
import { mayBeSmallChange } from './small-change.ts';
import { type Refused, unlessRefused } from './thread-refusal.ts';
import type { ValidationReply, ValidationRequest } from './validation-request.ts';

/**
 * Larger bodies are evaluated on threads: 64 KiB of the worst JSON hold the main thread for 5 to 20 ms, ordinary JSON for less than 1 ms,
 * about as long as a message to a thread and back.
 */
const bodyBytesHereMax = 65_536;

/** Longer pairs of documents are compared on threads. Most of the work is parsing. */
const comparedHereCharactersMax = 16_384;

const defaultIdleMilliseconds = 10_000;

const mebibyte = 1024 * 1024;
/**
 * One thread per core, but at least two: one account may occupy all threads but one, so it cannot make others wait. More than eight would
 * take more memory than they are worth.
 */
export const evaluationThreadsMax = (cores: number): number => Math.min(Math.max(cores, 2), 8);
/**
 * Characters and bytes that may wait, in total and per account. Over this, requests are refused. One player or document may use at most
 * half of its account's limit. A single request is always accepted.
 */
const waitingMax = 128 * mebibyte;
const waitingOfAccountMax = 64 * mebibyte;
/**
 * Measured: evaluating 1 MiB of the worst JSON takes 30 to 48 MiB for its values and texts. The rest is a margin: a thread that reaches its
 * limit usually ends alone, but in some places of the runtime it ends the whole process.
 */
const heapPerBody = 160;
const heapMebibytesMin = 128;
const youngMebibytesMax = 16;

/** Evaluates the bodies of state writes without holding the event loop for long. */
export interface Evaluator {
  /**
   * Returns a body's result, in its owner's turn: at once if a small body's turn is now. Throws the body's refusal, `service_unavailable`
   * if too many large bodies are waiting, or an error if the evaluation itself fails. `ends` are the known ends of values in the text that a
   * patch changes.
   */
  evaluate(owner: Owner, request: EvaluationRequest, ends?: ValueEnds): Awaitable<Exclude<Evaluation, Refused>>;
  /**
   * Returns the operations that turn one stored document into another, as JSON text; undefined if they are too long to report, or too many
   * large documents are waiting. Rejects with an error if the comparison itself fails.
   */
  compare(owner: Owner, fromText: string, toText: string): Promise<string | undefined>;
  /** Reads a body that contains a schema, or validates documents, on a thread. Rejects like `evaluate`. */
  validate(owner: Owner, request: ValidationRequest): Promise<Exclude<ValidationReply, Refused>>;
  /** Reads a proposal from a body, or merges one, on a thread. Rejects like `evaluate`. */
  merge(owner: Owner, request: MergeRequest): Promise<Exclude<MergeReply, Refused>>;
  /** Ends the threads for large bodies. */
  close(): Promise<void>;
}

export interface EvaluatorOptions {
  /** Runs an owner's work now or in a later turn of the event loop. */
  readonly inTurn: <Result>(owner: () => Owner, work: () => Result) => Awaitable<Result>;
  /** The largest possible body. */
  readonly bodyBytesMax: number;
  /** How long an idle thread is kept. Default: 10 s. */
  readonly idleMilliseconds?: number;
  /** The most threads. The default depends on the machine's cores. */
  readonly threadsMax?: number;
}

/** Creates an evaluator. It starts its first thread for the first large body. */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { inTurn } = options;
  const threads = createThreads(options);
  const onThread = <Request extends ThreadRequest>(owner: Owner, request: Request) =>
    threads.run(owner, weightOf(request), (thread) => ask(thread, request)) as Promise<ThreadReply<Request>>;

  /** Schema texts that a thread is compiling for the main thread, or has found too large for it. */
  const learning = new LRUCache<string, true>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length });
  /** Has a thread compile a schema for the main thread, which then validates small documents with it. */
  const learn = async (owner: Owner, { schemaText }: ActiveSchema): Promise<void> => {
    if (learning.has(schemaText)) return;
    learning.set(schemaText, true);
    try {
      const reply = await onThread(owner, { kind: 'compile', schemaText });
      // A schema that is too large remains in `learning`, so it is not compiled for the main thread again.
      if (reply.kind !== 'compiled' || reply.serialized === null) return;
      const { serialized } = reply;
      await inTurn(
        () => owner,
        () => learnSchema(schemaText, serialized),
      );
      learning.delete(schemaText);
    } catch {
      // Until then, writes go to a thread, as this one did; the next one tries again.
      learning.delete(schemaText);
    }
  };

  const evaluateHere = (
    owner: Owner,
    request: EvaluationRequest,
    ends: ValueEnds | undefined,
  ): Awaitable<Evaluation | undefined> => {
    const { body, schema } = request;
    const isLong = body.length > bodyBytesHereMax;
    if (isLong && !mayBeSmallChange(request)) return undefined;
    if (schema !== undefined && !isKnownHere(schema)) {
      if (schema.isSmall) void learn(owner, schema);
      return undefined;
    }
    return inTurn(
      () => owner,
      () => (isLong ? evaluateSmallChange(request) : evaluateQuickly(request, ends)),
    );
  };

  return {
    evaluate: (owner, request, ends) =>
      mapAwaitable(evaluateHere(owner, request, ends), (here) =>
        here === undefined ? onThread(owner, request).then(unlessRefused) : unlessRefused(here),
      ),
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
        return (await onThread(owner, request)).operations;
      } catch (error) {
        if (error instanceof Refusal) return undefined;
        throw error;
      }
    },
    validate: (owner, request) => onThread(owner, request).then(unlessRefused),
    merge: (owner, request) => onThread(owner, request).then(unlessRefused),
    close: () => threads.close(),
  };
}

/** The requests to a thread, and its replies, as plain data. */
export type ThreadRequest = EvaluationRequest | DifferenceRequest | ValidationRequest | MergeRequest;
type ThreadReply<Request extends ThreadRequest> = Request extends DifferenceRequest
  ? Difference
  : Request extends ValidationRequest
    ? ValidationReply
    : Request extends MergeRequest
      ? MergeReply
      : Evaluation;
type AnyReply = Evaluation | Difference | ValidationReply | MergeReply;
type EvaluationThread = Thread<ThreadRequest, AnyReply>;

function createThreads({
  bodyBytesMax,
  idleMilliseconds = defaultIdleMilliseconds,
  threadsMax = evaluationThreadsMax(availableParallelism()),
}: EvaluatorOptions): ThreadPool<EvaluationThread> {
  return new ThreadPool({
    start: () => startThread(bodyBytesMax),
    threadsMax,
    startsAll: false,
    idleMilliseconds,
    bounds: {
      weightMax: waitingMax,
      accountWeightMax: waitingOfAccountMax,
      accountTakenMax: Math.max(threadsMax - 1, 1),
    },
    tooManyWaiting: 'too many large bodies are waiting; repeat the request unchanged later',
  });
}

function startThread(bodyBytesMax: number): EvaluationThread {
  const heapMebibytes = Math.ceil((heapPerBody * bodyBytesMax) / mebibyte);
  return new Thread(
    startProgramThread(new URL('./evaluation-worker.ts', import.meta.url), {
      name: 'evaluation of large bodies',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(heapMebibytes, heapMebibytesMin),
        maxYoungGenerationSizeMb: youngMebibytesMax,
      },
    }),
  );
}

function ask(thread: EvaluationThread, request: ThreadRequest): Promise<AnyReply> {
  if (!('body' in request)) return thread.ask(request);
  // A copy that can be transferred: bytes from a socket share their memory with other requests.
  const body = new Uint8Array(request.body);
  const sent = request.kind === 'replacement' ? { ...request, currentText: undefined, body } : { ...request, body };
  return thread.ask(sent, [body.buffer]);
}

function weightOf(request: ThreadRequest): number {
  if (request.kind === 'difference') return request.fromText.length + request.toText.length;
  if (request.kind === 'validate')
    return request.documents.reduce((sum, { text }) => sum + text.length, request.schemaText.length);
  if (request.kind === 'compile') return request.schemaText.length;
  if (request.kind === 'merge') {
    const { baseText, currentText, proposed } = request;
    const text = 'stateText' in proposed ? proposed.stateText : proposed.opsText;
    return baseText.length + currentText.length + text.length;
  }
  return request.body.length + (request.kind === 'patch' ? (request.currentText?.length ?? 0) : 0);
}
