/** The hooks of documents, for a client that is known or comes from the provider. */
import * as React from 'react';
import type { Change, UpdateOptions } from '../documents/document.ts';
import { runtime } from '../runtime.ts';
import { isAlike } from './alike.ts';
import { nothingSeen, type Seen, type Source, Store } from './store.ts';

// Where server components are rendered, under the condition `react-server`, React has no hooks.
const { useCallback, useMemo, useRef, useSyncExternalStore } = React;

/** A record that `get` has returned on the server. */
export interface ServerRecord {
  readonly state: unknown;
  readonly version: number;
}

/** How a hook waits for its document. */
export interface StateHookOptions {
  /** Suspends the component until the document is known. Then an error goes to the error boundary if there is no document to show. */
  readonly suspense?: boolean;
}

/** A document and how to change it. */
export interface StateHook<State> extends Seen<State> {
  /** Shows the change at once, and takes it back when it is refused. Rejects then. */
  readonly update: (change: Change<State>, options?: UpdateOptions<State>) => Promise<void>;
}

/** What a hook returns with `suspense`: the document is known. */
export type Known<State> = StateHook<State> & { readonly state: State | null };

/** One store for each document, however many components use it. */
const stores = new WeakMap<object, Store<unknown>>();

function storeOf<State>(source: Source<State>): Store<State> {
  const known = stores.get(source) as Store<State> | undefined;
  if (known !== undefined) return known;
  const store = new Store<State>(source);
  stores.set(source, store as Store<unknown>);
  return store;
}

/** On a server nothing is subscribed to. */
const isServer = (): boolean => runtime.document === undefined && runtime.navigator?.product !== 'ReactNative';

/** What a document that the server has read looks like. */
function seenOf<State>(record: ServerRecord | null | undefined): Seen<State> {
  if (record === undefined) return nothingSeen;
  const { state, version } = record ?? { state: null, version: null };
  return { ...nothingSeen, state: state as State | null, version };
}

/** Waits for the document of a store, in the way of React: by throwing. */
function suspend<State>(store: Store<State>, seen: Seen<State>): void {
  if (seen.state !== undefined) return;
  if (seen.error !== undefined) throw seen.error;
  // React shows the fallback, and renders again in the browser. The name tells Next that this is meant.
  if (isServer()) {
    const digest = 'BAILOUT_TO_CLIENT_SIDE_RENDERING';
    throw Object.assign(new Error('the document is not known on the server: give it to the provider as `initial`'), {
      digest,
    });
  }
  const now = store.getSnapshot();
  if (now.state !== undefined || now.error !== undefined) return;
  store.begin();
  throw store.whenKnown;
}

/** A document, and how to change it. */
export function useDocument<State>(
  source: Source<State>,
  record: ServerRecord | null | undefined,
  options: StateHookOptions,
): StateHook<State> {
  const store = storeOf(source);
  const initial = useMemo(() => seenOf<State>(record), [record]);
  const getInitial = useCallback(() => initial, [initial]);
  const stored = useSyncExternalStore(store.subscribe, store.getSnapshot, getInitial);
  const seen = stored.state === undefined && stored.error === undefined ? initial : stored;
  if (options.suspense) suspend(store, seen);
  const update = useCallback((change: Change<State>, more?: UpdateOptions<State>) => store.update(change, more), [store]);
  return { ...seen, update };
}

/** A part of a document. Renders only when the part is another one, compared as JSON is. */
export function useSelected<State, Part>(
  source: Source<State>,
  record: ServerRecord | null | undefined,
  select: (state: State | null | undefined) => Part,
  options: StateHookOptions,
): Part {
  const store = storeOf(source);
  const initial = useMemo(() => seenOf<State>(record), [record]);
  const last = useRef<{ readonly part: Part } | undefined>(undefined);
  const partOf = (seen: Seen<State>): Part => {
    const part = select((seen.state === undefined ? initial : seen).state);
    if (last.current === undefined || !isAlike(last.current.part, part)) last.current = { part };
    return last.current.part;
  };
  const part = useSyncExternalStore(
    store.subscribe,
    () => partOf(store.getSnapshot()),
    () => partOf(initial),
  );
  if (options.suspense) suspend(store, initial.state === undefined ? store.getSnapshot() : initial);
  return part;
}
