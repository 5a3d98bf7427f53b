/** A thread that evaluates flags. Rules are a tenant's input: work that takes too long or too much memory is ended with its thread. */
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { startProgramThread } from '../common/program/program-files.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { Thread, ThreadEnded } from '../common/threads/thread.ts';
import type { FlagOutcome } from './evaluate.ts';
import type { FlagCheck, FlagEvaluation, FlagFindings, FlagReply, FlagRequest, FlagThreadSetup } from './flag-messages.ts';
import { evaluationMs } from './rules/budget.ts';
import { timeIn, WorkNotes } from './thread-time.ts';

/** Additional time for reading the largest document: ten times the measured time. */
const compilationMs = 100;
/** On a busy machine a thread may get no processor; this then bounds the elapsed time. */
const clockFactor = 10;
/** Cached documents take up to 15 MiB, an evaluation 10. The rest is a margin. */
const memory = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 2 };

/** An evaluation that took too long or too much memory. `index` is that of its current flag, or `noFlag`. */
export interface EvaluationEnded {
  readonly kind: 'ended';
  readonly index: number;
}

export class FlagThread extends Thread<FlagRequest | 'start', FlagReply> {
  readonly #notes: WorkNotes;
  #timesFile: string | undefined;
  #isReady = false;

  constructor(setup: Pick<FlagThreadSetup, 'isOfLowPriority'>) {
    const notes = new WorkNotes();
    super(
      startProgramThread(new URL('./flag-worker.ts', import.meta.url), {
        name: 'evaluation of flags',
        workerData: { ...setup, notesBuffer: notes.buffer } satisfies FlagThreadSetup,
        resourceLimits: memory,
      }),
    );
    this.#notes = notes;
  }

  /** Processor time of the last evaluation, in milliseconds. */
  get takenMs(): number {
    return this.#notes.takenMs;
  }

  /**
   * Evaluates or checks. `text` is the document's. Rejects with `ThreadEnded` if the thread cannot start, and with a refusal
   * `service_unavailable` if the machine has no processor for it.
   */
  async evaluate(request: FlagRequest, text: string): Promise<FlagOutcome | FlagFindings | EvaluationEnded> {
    if (!this.#isReady) await this.#getReady();
    try {
      return await (request.kind === 'check' ? this.#findingsOf(request) : this.#outcomeOf(request, text));
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      const { begunMs, index } = this.#notes;
      if (begunMs === undefined) throw tooManyWaiting();
      return { kind: 'ended', index };
    }
  }

  /** The time of a start does not count. */
  async #getReady(): Promise<void> {
    const reply = await this.ask('start');
    if (reply.kind === 'ready') this.#timesFile = reply.timesFile;
    this.#isReady = true;
  }

  async #findingsOf(request: FlagCheck): Promise<FlagFindings> {
    const reply = await this.#askWithin(evaluationMs + compilationMs, request);
    if (reply.kind !== 'checked') throw new TypeError(`a thread replied ${reply.kind}`);
    return reply;
  }

  async #outcomeOf(request: FlagEvaluation, text: string): Promise<FlagOutcome> {
    let reply = await this.#askWithin(evaluationMs, request);
    if (reply.kind === 'unknown_document') {
      reply = await this.#askWithin(evaluationMs + compilationMs, { ...request, text });
    }
    if (reply.kind === 'evaluated' || reply.kind === 'failed') return reply;
    throw new TypeError(`a thread replied ${reply.kind}`);
  }

  async #askWithin(milliseconds: number, request: FlagRequest): Promise<FlagReply> {
    this.#notes.send();
    const watch = this.#watch(milliseconds);
    try {
      return await this.ask(request);
    } finally {
      clearTimeout(watch.timer);
    }
  }

  /** Ends the thread if it takes more processor time for its work. Work that gets no processor is refused: no flag is to blame. */
  #watch(milliseconds: number): { timer: NodeJS.Timeout } {
    const begun = performance.now();
    const check = (): void => {
      const onClock = performance.now() - begun;
      const taken = this.#takenSoFar() ?? onClock;
      if (taken >= milliseconds) void this.end();
      else if (onClock >= clockFactor * milliseconds) void this.end(tooManyWaiting());
      else watch.timer = setTimeout(check, Math.max(milliseconds - taken, 10));
    };
    const watch = { timer: setTimeout(check, milliseconds) };
    return watch;
  }

  /** Processor time that the work has taken so far, in milliseconds; undefined if the system does not report it. */
  #takenSoFar(): number | undefined {
    const now = this.#timesFile === undefined ? undefined : timeIn(this.#timesFile);
    if (now === undefined) return undefined;
    const { begunMs } = this.#notes;
    return begunMs === undefined ? 0 : now - begunMs;
  }
}

/** The message of the refusal if an evaluation waits too long, or too many do. */
export const tooManyEvaluations = 'too many evaluations of flags are waiting; repeat the request later';

const tooManyWaiting = (): Refusal =>
  new Refusal('service_unavailable', tooManyEvaluations, { retryAfterSeconds: storageRetryAfterSeconds });
