/** The work of a button or form: one run at a time, with its fault kept until the next try. */
import { useState } from 'react';

export interface Action<Args extends readonly unknown[] = []> {
  readonly isBusy: boolean;
  /** The fault of the last run; undefined if none. */
  readonly fault: unknown;
  /** Starts, unless it is running. */
  readonly run: (...args: Args) => void;
  readonly forgetFault: () => void;
}

/** Returns `work` as an action. A rejection becomes the fault. */
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
