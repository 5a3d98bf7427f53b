/** Everything that a service has opened, and the one way to release it, after a failed start or at a stop. */

/** Called with the name of what could not be released, for example `the store`, and why. */
export type OnReleaseFault = (what: string, error: unknown) => void;

export class Releases {
  readonly #stack = new AsyncDisposableStack();
  readonly #onFault: OnReleaseFault;
  #running: Promise<void> | undefined;

  constructor(onFault: OnReleaseFault) {
    this.#onFault = onFault;
  }

  /** Registers the release of something just opened. `what` is its name in messages. */
  add(what: string, release: () => void | Promise<void>): void {
    this.#stack.defer(async () => {
      try {
        await release();
      } catch (error) {
        this.#onFault(what, error);
        throw new Error(`cannot release ${what}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    });
  }

  /**
   * Releases everything, one after the other, in reverse order. A fault in one release does not keep the others from running; once all have
   * run, the first fault is thrown. Later calls return the same promise.
   */
  run(): Promise<void> {
    this.#running ??= this.#stack.disposeAsync().catch((error: unknown) => {
      throw firstFault(error);
    });
    return this.#running;
  }
}

/** A stack throws the newest fault, with the earlier ones inside it. */
function firstFault(error: unknown): unknown {
  return error instanceof SuppressedError ? firstFault(error.suppressed) : error;
}
