/** Closes everything that a service has opened, after a failed start or at a stop. */
import { Closers } from '../common/async/closers.ts';

/** Called with the name of what could not be closed, for example `the store`, and why. */
export type OnDisposalFault = (what: string, error: unknown) => void;

/** How long a stop waits for work under way, such as mails being sent. */
const settleMilliseconds = 5_000;

export class Disposal {
  readonly #closers = new Closers();
  readonly #onFault: OnDisposalFault;

  constructor(onFault: OnDisposalFault) {
    this.#onFault = onFault;
  }

  /** Registers how to close something just opened. `what` is its name in messages. */
  add(what: string, close: () => void | Promise<void>): void {
    this.#closers.add(async () => {
      try {
        await close();
      } catch (error) {
        this.#onFault(what, error);
        throw new Error(`cannot close ${what}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    });
  }

  /** Registers work that a stop waits for briefly. `settled` resolves when none is under way; undefined: none ever began. */
  addSettling(what: string, settled: () => Promise<unknown> | undefined): void {
    this.add(what, async () => {
      const { promise: timedOut, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, settleMilliseconds).unref();
      try {
        await Promise.race([settled(), timedOut]);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  /**
   * Closes everything, one after the other, in reverse order. A fault does not keep the others from being closed; then the first fault is
   * thrown. Later calls return the same promise.
   */
  run(): Promise<void> {
    return this.#closers.run();
  }
}
