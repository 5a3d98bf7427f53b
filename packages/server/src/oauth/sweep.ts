/** Clears away what has expired and can no longer be used: codes and families, sign-ups and resets. */

const intervalMilliseconds = 60_000;

export interface SweepOptions {
  /** Each deletes a portion of what has expired, and returns how much that was. */
  readonly sweeps: readonly ((now: number) => Promise<number>)[];
  readonly now: () => number;
  /** Told why a sweep could not be finished; the next one goes on where it stopped. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Sweeps once a minute, portion by portion until nothing is left; returns a function that ends this. Nothing depends on
 * it but room: what has expired is unknown whether it is still there or not.
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
