/** What has been opened so far, and how to close it. */

type Close = () => void | Promise<void>;

export class Closers {
  readonly #closers: Close[] = [];
  #running: Promise<void> | undefined;

  /** Registers how to close something just opened. */
  add(close: Close): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, one after the other, in reverse order. A fault does not keep the others from being closed; then the first fault is
   * thrown. Later calls return the same promise.
   */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}

/** Runs `open`, which registers what it opens. If it fails, everything registered is closed, and the promise rejects with the cause. */
export async function openWhole<Opened>(open: (closers: Closers) => Promise<Opened>): Promise<Opened> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.run().catch(() => undefined); // the caller needs the cause
    throw error;
  }
}
