/** A hook that shows a document with its waiting changes. */
import * as React from 'react';
import type { AnyHoldfastError } from '../errors.ts';
import type { QueuedChange } from '../offline/queue-list.ts';
import type { Queue } from '../offline/queue-types.ts';
import type { QueueView } from '../offline/queue-view.ts';

const { useCallback, useState, useSyncExternalStore } = React;

/** A document with its waiting changes. `state` is undefined until it is known. */
export interface QueueHook<State, Defined> extends Omit<QueueView<State>, 'state' | 'version'> {
  readonly state: State | null | undefined;
  readonly version: number | null | undefined;
  /** The waiting changes in order, known even without the document. */
  readonly changes: readonly QueuedChange[];
  /** Why updates have stopped. */
  readonly error: AnyHoldfastError | undefined;
  /** Stores a change, which shows immediately. */
  readonly run: Queue<State, Defined>['run'];
  /** As {@link Queue.discard}. */
  readonly discard: Queue<State, Defined>['discard'];
}

type Shown<State> = Omit<QueueHook<State, unknown>, 'run' | 'discard'>;

const unknown: Shown<never> = {
  state: undefined,
  version: undefined,
  stale: false,
  pending: 0,
  changes: [],
  error: undefined,
};

/** The document of a queue with its waiting changes, their list, `run` and `discard`. Call `openQueue` outside components. */
export function useQueue<State, Defined>(queue: Queue<State, Defined>): QueueHook<State, Defined> {
  const [held] = useState<{ shown: Shown<State> }>(() => ({ shown: unknown }));
  const subscribe = useCallback(
    (listener: () => void) => {
      const show = (changes: Partial<Shown<State>>): void => {
        held.shown = { ...held.shown, ...changes };
        listener();
      };
      const onError = (error: AnyHoldfastError): void => show({ error });
      const endings = [
        queue.subscribe((view) => show({ ...view, error: undefined }), { onError }),
        queue.watch((changes) => show({ changes }), { onError }),
      ];
      return () => {
        for (const end of endings) end();
      };
    },
    [queue, held],
  );
  const shown = useSyncExternalStore(
    subscribe,
    () => held.shown,
    () => unknown,
  );
  return { ...shown, run: queue.run, discard: queue.discard };
}
