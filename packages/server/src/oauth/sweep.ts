/** Deletes what has expired: codes and families, sign-ups and resets, and the keys of repeated writes. */

const intervalMilliseconds = 60_000;

export interface SweepOptions {
  /** Each deletes a batch of what has expired, and returns how many records that was. */
  readonly sweeps: readonly ((now: number) => Promise<number>)[];
  readonly now: () => number;
  /** Called when a sweep could not be finished. The next one continues where it stopped. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Sweeps once a minute, batch by batch until nothing is left. Returns a function that ends this. Only disk space depends on
 * it: an expired record counts as unknown, whether it is still there or not.
 */
export function startSignInSweep({ sweeps, now, onFault }: SweepOptions): () => void {
  let isSweeping = false;
  let isStopped = false;

  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    try {
      for (const each of sweeps) while (!isStopped && (await each(now())) > 0);
    } catch (fault) {
      if (!isStopped) onFault(fault);
    } finally {
      isSweeping = false;
    }
  }

  const timer = setInterval(() => void sweep(), intervalMilliseconds);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
