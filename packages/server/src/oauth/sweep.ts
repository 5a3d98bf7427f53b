/** Deletes records that have expired or exceeded their retention. Nothing else in the service deletes by age. */

const intervalMilliseconds = 60_000;

export interface SweepOptions {
  /** Each deletes a batch of records that have expired at the given time, and returns their number. */
  readonly sweeps: readonly ((now: number) => Promise<number>)[];
  readonly now: () => number;
  /** Whether this time is believed, asked at once and at every sweep. If not, nothing is deleted. */
  readonly isTrusted: (now: number) => Promise<boolean>;
  /** Called if a sweep could not be finished. The next one continues where it stopped. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Sweeps once a minute, batch by batch until nothing is left. Returns a function that stops this. Only disk space depends on it: an expired
 * record counts as unknown, whether it still exists or not.
 */
export function startSignInSweep({ sweeps, now, isTrusted, onFault }: SweepOptions): () => void {
  let isSweeping = false;
  let isStopped = false;
  const report = (fault: unknown) => isStopped || onFault(fault);
  isTrusted(now()).catch(report); // the first write to a new database

  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    try {
      // The next sweep notices a clock that leaps in the meantime.
      const time = now();
      if (!(await isTrusted(time))) return;
      for (const each of sweeps) while (!isStopped && (await each(time)) > 0);
    } catch (fault) {
      report(fault);
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
