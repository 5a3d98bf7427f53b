/** Sends the waiting changes of a document, as many as possible in one patch. */
import type { Change, Document } from '../documents/document.ts';
import { HoldfastError, isHoldfastError, isRefusal } from '../errors.ts';
import { withinLimits } from '../limits.ts';
import { randomId } from '../runtime.ts';
import { exclusive } from './exclusive.ts';
import { type Outcome, type Settled, storedOutcome } from './settled.ts';
import type { Entry, Sent } from './stored.ts';
import type { Waiting } from './waiting.ts';

type Step = readonly Settled[] | 'later' | undefined;

export interface SenderOptions<State> {
  readonly waiting: Waiting;
  /** The document of the user whose changes wait. */
  readonly document: () => Document<State>;
  /** Timeout of a request. */
  readonly timeoutMs: number | undefined;
  /** Returns the mutator of a change; undefined if this release of the application has none. */
  readonly changeOf: (entry: Entry) => Change<State> | undefined;
  readonly initial: State | undefined;
}

/** The service keeps keys for 24 hours. */
const keyMs = 23 * 3_600_000;

/** The sender of one line's changes. */
export class Sender<State> {
  readonly #waiting: Waiting;
  readonly #document: () => Document<State>;
  readonly #timeoutMs: number | undefined;
  readonly #changeOf: SenderOptions<State>['changeOf'];
  readonly #initial: State | undefined;
  /** How many changes a patch contains. Fewer after a refusal, which may be due to one alone. */
  #most = Number.POSITIVE_INFINITY;
  #failures = 0;

  constructor({ waiting, document, timeoutMs, changeOf, initial }: SenderOptions<State>) {
    this.#waiting = waiting;
    this.#document = document;
    this.#timeoutMs = timeoutMs;
    this.#changeOf = changeOf;
    this.#initial = initial;
  }

  /**
   * Sends waiting changes, exclusively among all tabs, until none wait or a retry is needed. `tell` receives each settled change, `again`
   * the number of failures in a row. Rejects if the storage fails.
   */
  flush(isClosed: () => boolean, tell: (settled: Settled) => void, again: (failures: number) => void): Promise<void> {
    return exclusive(`${this.#waiting.place}:flush`, async () => {
      while (!isClosed()) {
        const step = await this.#step().catch((failure) => {
          again(this.#failures++);
          throw failure;
        });
        if (step === 'later') again(this.#failures++);
        if (step === undefined || step === 'later') return;
        this.#failures = 0;
        for (const settled of step) tell(settled);
      }
    });
  }

  /**
   * Takes one step. Returns the settled changes with their outcome, undefined if nothing waits, or `later` if the service cannot be
   * reached, or not for this user. Rejects if the storage fails.
   */
  async #step(): Promise<Step> {
    await this.#waiting.takeBack((entry) => this.#changeOf(entry) !== undefined);
    const sent = await this.#waiting.sent();
    const entries = await this.#waiting.read();
    const [first] = entries;
    if (first === undefined) return undefined;
    if (sent !== undefined) return this.#send(entries, sent);
    return this.#changeOf(first) === undefined ? this.#setAside(first) : this.#make();
  }

  /** Sets aside a change that cannot be made, so that it does not delay others. */
  async #setAside({ at, id, name, args, version }: Entry): Promise<Step> {
    await this.#waiting.setAside(at);
    const what = version === 0 ? 'what was stored is damaged' : `there is no mutator ${name} of version ${version}`;
    const error = new HoldfastError('unknown_mutator', `cannot make a change: ${what}`);
    return [{ id, name, args, outcome: 'unhandled', error }];
  }

  /** Sends a prepared request. */
  async #send(entries: readonly Entry[], sent: Sent): Promise<Step> {
    const { through, version, body, key } = sent;
    const count = entries.filter(({ at }) => at <= through).length;
    const result = await withinLimits({ timeoutMs: this.#timeoutMs }, (limits) =>
      this.#document().write('PATCH', version, body, limits, key),
    ).catch((error: unknown) => ({ error }));
    if (!('error' in result)) {
      this.#most = Math.max(this.#most, count * 2);
      return this.#settle(entries, through, { outcome: 'applied', version: result.version });
    }
    const { error } = result;
    if (isHoldfastError(error, 'version_conflict')) {
      const isForgotten = Date.now() - sent.at > keyMs && error.currentVersion !== version;
      return isForgotten ? this.#settle(entries, through, { outcome: 'unknown', error }) : this.#make();
    }
    if (isTemporary(error)) return 'later';
    if (count <= 1) return this.#settle(entries, through, { outcome: 'refused', error });
    // One of them may have been the reason, so they are tried in halves.
    this.#most = Math.ceil(count / 2);
    await this.#waiting.giveUp();
    return [];
  }

  /** Prepares a request for waiting changes, and stores it before it is sent. */
  async #make(): Promise<Step> {
    const document = this.#document();
    const reading = withinLimits({ timeoutMs: this.#timeoutMs }, (limits) => document.read(limits));
    const base = await reading.catch((error: unknown) => ({ error }));
    const entries = await this.#waiting.read();
    if (entries.length === 0) return undefined; // without locks, another tab may have been faster
    if (base !== null && 'error' in base) return this.#refuse(entries, base.error);
    const changes = this.#changesOf(entries.slice(0, this.#most));
    if (changes.length === 0) {
      await this.#waiting.giveUp();
      return []; // the first cannot be made
    }
    const made = await document.patchOf(changes, base, this.#initial).catch((error: unknown) => ({ error }));
    if ('error' in made) return this.#refuse(entries, made.error);
    const { body, count } = made;
    const through = entries[count - 1]?.at ?? 0;
    if (body === undefined) return this.#settle(entries, through, { outcome: 'applied', version: base?.version });
    await this.#waiting.send({ key: randomId(), body, version: base?.version ?? null, at: Date.now(), through }, count);
    return [];
  }

  /** The mutators of changes, up to the first that cannot be made. */
  #changesOf(entries: readonly Entry[]): readonly Change<State>[] {
    const changes: Change<State>[] = [];
    for (const entry of entries) {
      const change = this.#changeOf(entry);
      if (change === undefined) break;
      changes.push(change);
    }
    return changes;
  }

  /** The first change was refused, unless the same request can succeed later. */
  #refuse(entries: readonly Entry[], error: unknown): Step | Promise<Step> {
    return isTemporary(error) ? 'later' : this.#settle(entries, entries[0]?.at ?? 0, { outcome: 'refused', error });
  }

  async #settle(entries: readonly Entry[], through: number, outcome: Outcome): Promise<readonly Settled[]> {
    const settled = entries.filter(({ at }) => at <= through).map(({ id, name, args }) => ({ id, name, args, ...outcome }));
    await this.#waiting.settle(through, outcome.version, storedOutcome(settled));
    return settled;
  }
}

/** Whether the same request can succeed later. */
function isTemporary(error: unknown): boolean {
  if (!isHoldfastError(error)) return false;
  const { code, status } = error;
  if (['network_error', 'timeout', 'signed_out'].includes(code)) return true;
  // Refusals of a proxy are never final.
  return status > 0 && (!isRefusal(error) || [401, 402, 408, 429].includes(status) || status >= 500);
}
