/**
 * Threads that evaluate flags. An account whose evaluation took too long or too much memory continues apart from the others, on a thread
 * where it can only delay its like.
 */
import type { FlagFindingBody } from '@holdfast/contract';
import { flagMessages } from '@holdfast/contract/messages';
import { LRUCache } from 'lru-cache';
import type { Owner } from '../common/threads/fair-queue.ts';
import { ThreadPool } from '../common/threads/thread-pool.ts';
import { AccountTime } from './account-time.ts';
import { type FlagOutcome, failure } from './evaluate.ts';
import type { FlagEvaluation, FlagFindings, FlagRequest } from './flag-messages.ts';
import { type EvaluationEnded, FlagThread, tooManyEvaluations } from './flag-thread.ts';
import { noFlag } from './thread-time.ts';

type Attempt = FlagOutcome | FlagFindings | EvaluationEnded;

const mebibyte = 1024 * 1024;
/** Two threads, of which an account may keep one busy: its requests never make the others wait. */
const sharedThreadsMax = 2;
/** Bytes and characters that may wait, in total and for one account. */
const bounds = { weightMax: 64 * mebibyte, accountWeightMax: 16 * mebibyte, accountTakenMax: 1 };
/** Evaluations of one request that may be ended, each because of another flag. */
const attemptsMax = 3;
/** How long an account whose evaluation was ended stays apart, and how many such accounts are remembered. */
const isolationMs = 60_000;
const isolatedAccountsMax = 10_000;
const idleMs = 60_000;

/** Threads that share one queue. Low-priority ones only use spare processor time. */
const newLane = (threadsMax: number, setup: { readonly isOfLowPriority: boolean }): ThreadPool<FlagThread> =>
  new ThreadPool({
    start: () => new FlagThread(setup),
    threadsMax,
    startsAll: true,
    idleMilliseconds: idleMs,
    bounds,
    tooManyWaiting: tooManyEvaluations,
  });

/** Threads for flags. None runs until there is work, and each ends after a minute without work. */
export class FlagThreads {
  readonly #shared = newLane(sharedThreadsMax, { isOfLowPriority: false });
  /** For accounts that have used much processor time lately, so that the others do not wait for it. */
  readonly #busy = newLane(1, { isOfLowPriority: true });
  /** For accounts whose evaluation was ended lately. */
  readonly #isolated = newLane(1, { isOfLowPriority: true });
  readonly #time = new AccountTime();
  readonly #isolatedAccounts = new LRUCache<string, true>({ max: isolatedAccountsMax, ttl: isolationMs });

  /**
   * Evaluates in the owner's turn. `text` is the document's. Rejects with a refusal `service_unavailable` if too much is waiting or the
   * service has stopped, and with an error if no thread can be had.
   */
  async run(owner: Owner, request: FlagEvaluation, text: string): Promise<FlagOutcome> {
    const outcome = await this.#attempt(owner, request, text, request.key === undefined);
    if (outcome.kind === 'evaluated' || outcome.kind === 'failed') return outcome;
    return failure('flag', request.key, 'GENERAL', flagMessages.allTooSlow);
  }

  /** The faults in the flags of a document. Rejects as `run` does. */
  async check(owner: Owner, text: string): Promise<readonly FlagFindingBody[]> {
    const outcome = await this.#attempt(owner, { kind: 'check', text, skipped: [] }, text, true);
    return outcome.kind === 'checked' ? outcome.findings : [{ flag: '', message: flagMessages.allTooSlow }];
  }

  /** Work that takes too long is tried again without the flag at fault, if that is known and worthwhile. */
  async #attempt(owner: Owner, request: FlagRequest, text: string, canSkip: boolean): Promise<Attempt> {
    const skipped = [...request.skipped];
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#evaluateInTurn(owner, { ...request, skipped }, text);
      if (outcome.kind !== 'ended' || !canSkip || outcome.index === noFlag || attempt === attemptsMax) return outcome;
      skipped.push(outcome.index);
    }
  }

  /** Ends the threads. Unfinished evaluations are refused. */
  async close(): Promise<void> {
    await Promise.all([this.#shared, this.#busy, this.#isolated].map((lane) => lane.close()));
  }

  async #evaluateInTurn(owner: Owner, request: FlagRequest, text: string): Promise<Attempt> {
    const weight = text.length + (request.kind === 'evaluation' ? request.body.length : 0);
    for (;;) {
      const lane = this.#laneOf(owner);
      const outcome = await lane.run(owner, weight, async (thread) => {
        const hasMoved = this.#laneOf(owner) !== lane;
        return hasMoved ? undefined : this.#evaluate(owner, thread, request, text);
      });
      if (outcome !== undefined) return outcome;
    }
  }

  async #evaluate({ account }: Owner, thread: FlagThread, request: FlagRequest, text: string) {
    const outcome = await thread.evaluate(request, text);
    if (outcome.kind === 'ended') this.#isolatedAccounts.set(account, true);
    else this.#time.add(account, thread.takenMs, performance.now());
    return outcome;
  }

  #laneOf({ account }: Owner): ThreadPool<FlagThread> {
    if (this.#isolatedAccounts.has(account)) return this.#isolated;
    return this.#time.isBusy(account, performance.now()) ? this.#busy : this.#shared;
  }
}
