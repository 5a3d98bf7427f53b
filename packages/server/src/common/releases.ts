/** What has been opened so far, and how to release it. */

type Release = () => void | Promise<void>;

export class Releases {
  readonly #releases: Release[] = [];
  #running: Promise<void> | undefined;

  /** Registers how to release something just opened. */
  add(release: Release): void {
    this.#releases.push(release);
  }

  /**
   * Releases everything, one after the other, in reverse order. A fault does not keep the others from being released; then the first fault
   * is thrown. Later calls return the same promise.
   */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) {
      try {
        await release();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}

/** Runs `open`, which registers what it opens. If it fails, everything registered is released, and the promise rejects with the cause. */
export async function openWhole<Opened>(open: (releases: Releases) => Promise<Opened>): Promise<Opened> {
  const releases = new Releases();
  try {
    return await open(releases);
  } catch (error) {
    await releases.run().catch(() => undefined); // the caller needs the cause
    throw error;
  }
}
