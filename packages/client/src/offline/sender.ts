/** Sends what waits for a document: as many changes as possible in one patch. */
import type { Change, Document } from '../documents/document.ts';
import { isHoldfastError, isRefusal } from '../errors.ts';
import { withinLimits } from '../limits.ts';
import { randomId } from '../runtime.ts';
import { exclusive } from './exclusive.ts';
import type { Entry, Sent, Waiting } from './waiting.ts';

/** What became of some changes. */
interface Outcome {
  /**
   * `refused`: the service or the mutator refused it. `unknown`: its response was lost more than a day ago, and the service no longer
   * knows whether it was carried out.
   */
  readonly outcome: 'applied' | 'refused' | 'unknown';
  /** The version that the change was applied as. Changes that were sent together have the same version. */
  readonly version?: number | undefined;
  readonly error?: unknown;
}

/** A change that no longer waits, and its outcome. */
export interface Settled extends Outcome {
  readonly name: string;
  readonly args: readonly unknown[];
}

type Step = readonly Settled[] | 'later' | undefined;

export interface SenderOptions<State> {
  readonly waiting: Waiting;
  /** The document of the user whose changes wait. */
  readonly document: () => Document<State>;
  /** How long a request may take. */
  readonly timeoutMs: number | undefined;
  readonly changeOf: (entry: Entry) => Change<State>;
  readonly initial: State | undefined;
}

/** The service keeps keys for 24 hours. */
const keyMs = 23 * 3_600_000;

/** What sends the changes of one line. */
export class Sender<State> {
  readonly #waiting: Waiting;
  readonly #document: () => Document<State>;
  readonly #timeoutMs: number | undefined;
  readonly #changeOf: (entry: Entry) => Change<State>;
  readonly #initial: State | undefined;
  /** How many changes go into a patch. Fewer after a refusal, which may be that of one alone. */
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
   * Sends what waits, alone among all tabs, until nothing waits any more or that has to be tried again. `tell` gets each change that is
   * settled, `again` how often in a row it failed. Rejects when the storage fails.
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
   * Takes one step. Returns the changes that are settled now and what became of them, undefined when nothing waits, or `later` when the
   * service cannot be reached, or not for this user. Rejects when the storage fails.
   */
  async #step(): Promise<Step> {
    const sent = await this.#waiting.sent();
    const entries = await this.#waiting.read();
    if (entries.length === 0) return undefined;
    return sent === undefined ? this.#make() : this.#send(entries, sent);
  }

  /** Sends a request that has been made. */
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
    // One of them may have been the reason: they are tried in halves.
    this.#most = Math.ceil(count / 2);
    await this.#waiting.send(undefined);
    return [];
  }

  /** Makes a request of what waits, and stores it before it is sent. */
  async #make(): Promise<Step> {
    const document = this.#document();
    const reading = withinLimits({ timeoutMs: this.#timeoutMs }, (limits) => document.read(limits));
    const base = await reading.catch((error: unknown) => ({ error }));
    const entries = await this.#waiting.read();
    if (entries.length === 0) return undefined; // where there are no locks, another tab has been faster
    if (base !== null && 'error' in base) return this.#refuse(entries, base.error);
    const changes = entries.slice(0, this.#most).map(this.#changeOf);
    const made = await document.patchOf(changes, base, this.#initial).catch((error: unknown) => ({ error }));
    if ('error' in made) return this.#refuse(entries, made.error);
    const { body, count } = made;
    const through = entries[count - 1]?.at ?? 0;
    if (body === undefined) return this.#settle(entries, through, { outcome: 'applied', version: base?.version });
    await this.#waiting.send({ key: randomId(), body, version: base?.version ?? null, at: Date.now(), through });
    return [];
  }

  /** The first change was refused, unless the same request can succeed later. */
  #refuse(entries: readonly Entry[], error: unknown): Step | Promise<Step> {
    return isTemporary(error) ? 'later' : this.#settle(entries, entries[0]?.at ?? 0, { outcome: 'refused', error });
  }

  async #settle(entries: readonly Entry[], through: number, outcome: Outcome): Promise<readonly Settled[]> {
    await this.#waiting.settle(through, outcome.version);
    return entries.filter(({ at }) => at <= through).map(({ name, args }) => ({ name, args, ...outcome }));
  }
}

/** Whether the same request can succeed later. */
function isTemporary(error: unknown): boolean {
  if (!isHoldfastError(error)) return false;
  const { code, status } = error;
  if (['network_error', 'timeout', 'signed_out'].includes(code)) return true;
  // What stands between here and the service refuses nothing for good.
  return status > 0 && (!isRefusal(error) || [401, 402, 408, 429].includes(status) || status >= 500);
}
