/** A hook that shows a document with the changes that wait for it. */
import * as React from 'react';
import type { AnyHoldfastError } from '../errors.ts';
import type { Queue } from '../offline/queue.ts';
import type { QueueView } from '../offline/queue-view.ts';

const { useCallback, useState, useSyncExternalStore } = React;

/** A document with the changes that wait. `state` is undefined until it is known. */
export interface QueueHook<State, Defined> extends Omit<QueueView<State>, 'state' | 'version'> {
  readonly state: State | null | undefined;
  readonly version: number | null | undefined;
  /** Why no more updates come. */
  readonly error: AnyHoldfastError | undefined;
  /** Stores a change, which shows at once. */
  readonly run: Queue<State, Defined>['run'];
}

type Shown<State> = Omit<QueueHook<State, unknown>, 'run'>;

const unknown: Shown<never> = { state: undefined, version: undefined, stale: false, pending: 0, error: undefined };

/** The document of a queue with the changes that wait, and `run`, which stores another change. The queue comes from `openQueue`, called outside of components. */
export function useQueue<State, Defined>(queue: Queue<State, Defined>): QueueHook<State, Defined> {
  const [held] = useState<{ shown: Shown<State> }>(() => ({ shown: unknown }));
  const subscribe = useCallback(
    (listener: () => void) => {
      const show = (shown: Shown<State>): void => {
        held.shown = shown;
        listener();
      };
      return queue.subscribe((view) => show({ ...view, error: undefined }), {
        onError: (error) => show({ ...held.shown, error }),
      });
    },
    [queue, held],
  );
  const shown = useSyncExternalStore(
    subscribe,
    () => held.shown,
    () => unknown,
  );
  return { ...shown, run: queue.run };
}
