/** What a button or a form does: once at a time, with what went wrong until the next try. */
import { useState } from 'react';

export interface Action<Args extends readonly unknown[] = []> {
  readonly isBusy: boolean;
  /** What went wrong the last time; undefined when nothing has. */
  readonly fault: unknown;
  /** Begins, unless it is under way. */
  readonly run: (...args: Args) => void;
  readonly forgetFault: () => void;
}

/** Returns `work` as an action. What it rejects with becomes the fault. */
export function useAction<Args extends readonly unknown[]>(work: (...args: Args) => Promise<unknown>): Action<Args> {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const run = (...args: Args) => {
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    work(...args)
      .catch(setFault)
      .finally(() => setBusy(false));
  };
  return { isBusy, fault, run, forgetFault: () => setFault(undefined) };
}
