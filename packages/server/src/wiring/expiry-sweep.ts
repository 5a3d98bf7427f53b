/** Deletes records that have expired or exceeded their retention. Besides it, an engine deletes by age only what its nodes tell each other. */

const intervalMilliseconds = 60_000;

interface ExpiryJob<Name extends string> {
  readonly name: Name;
  /** Deletes a batch of records that have expired at the given time, and returns their number. */
  readonly run: (now: number) => Promise<number>;
}

export interface ExpirySweepOptions<Name extends string> {
  readonly jobs: readonly ExpiryJob<Name>[];
  readonly now: () => number;
  /** Whether this time is believed, asked at once and at every sweep. If not, nothing is deleted. */
  readonly isTrusted: (now: number) => Promise<boolean>;
  /** Called if a job, or the check of the clock, fails. The next sweep continues where it stopped. */
  readonly onFault: (name: Name | 'clock_check', fault: unknown) => void;
  /** Called when one has succeeded. */
  readonly onSuccess: (name: Name | 'clock_check') => void;
}

/**
 * Runs the jobs once a minute, each batch by batch until nothing is left; one that fails does not keep the next from running. Returns a
 * function that stops this. Only disk space depends on it: an expired record counts as unknown, whether it still exists or not.
 */
export function startExpirySweep<Name extends string>(options: ExpirySweepOptions<Name>): () => void {
  const { jobs, now, isTrusted, onFault, onSuccess } = options;
  let isSweeping = false;
  let isStopped = false;

  /** Returns what `work` returns, or undefined if it fails. */
  async function attempt<Result>(name: Name | 'clock_check', work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      if (!isStopped) onSuccess(name);
      return result;
    } catch (fault) {
      if (!isStopped) onFault(name, fault);
      return undefined;
    }
  }

  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    // The next sweep notices a clock that leaps in the meantime.
    const time = now();
    if ((await attempt('clock_check', () => isTrusted(time))) === true)
      for (const { name, run } of jobs)
        await attempt(name, async () => {
          while (!isStopped && (await run(time)) > 0);
        });
    isSweeping = false;
  }

  void attempt('clock_check', () => isTrusted(now())); // the first write to a new database
  const timer = setInterval(() => void sweep(), intervalMilliseconds);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
