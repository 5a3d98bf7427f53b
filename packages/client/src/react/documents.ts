/** The hooks of documents, with a given client or that of the provider. */
import * as React from 'react';
import { type Change, internals, type UpdateOptions } from '../documents/document.ts';
import { filled } from '../live/defaults.ts';
import { runtime } from '../runtime.ts';
import { isAlike } from './alike.ts';
import { nothingSeen, type Seen, type Source, Store } from './store.ts';

// In server components, under the condition `react-server`, React has no hooks.
const { useCallback, useMemo, useRef, useSyncExternalStore } = React;

/** A record that `get` has returned on the server. */
export interface ServerRecord {
  readonly state: unknown;
  readonly version: number;
}

/** Options of the hooks. */
export interface StateHookOptions {
  /** Suspends the component until the document is known. If no document can be shown, an error goes to the error boundary. */
  readonly suspense?: boolean;
}

/** A document and its `update`. `Missing` is `state` without a document: never with defaults. */
export interface StateHook<State, Missing = null | undefined> extends Seen<State, Missing> {
  /** Shows the change immediately. If it is refused, takes it back and rejects. */
  readonly update: (change: Change<State>, options?: UpdateOptions<State>) => Promise<void>;
}

/** The result of a hook with `suspense`. */
export type Known<State> = StateHook<State, null>;

/** One store per document, however many components use it. */
const stores = new WeakMap<object, Store<unknown>>();

function storeOf<State>(source: Source<State>): Store<State> {
  const known = stores.get(source) as Store<State> | undefined;
  if (known !== undefined) return known;
  const store = new Store<State>(source);
  stores.set(source, store as Store<unknown>);
  return store;
}

/** Nothing is subscribed to on a server. */
const isServer = (): boolean => runtime.document === undefined && runtime.navigator?.product !== 'ReactNative';

/** The view of a document read by the server: with its defaults, or only the defaults if it was not read. */
function seenOf<State>(record: ServerRecord | null | undefined, defaults: State | undefined): Seen<State> {
  if (record === undefined && defaults === undefined) return nothingSeen;
  const { state = null, version = null } = record ?? {};
  return { ...nothingSeen, state: filled(state as State | null, defaults), version, stale: record === undefined };
}

/** The store of a document, and its view on a server and during hydration. */
function useStore<State>(source: Source<State>, record: ServerRecord | null | undefined) {
  const store = storeOf(source);
  const defaults = source[internals]?.defaults;
  const initial = useMemo(() => seenOf<State>(record, defaults), [record, defaults]);
  if (record !== undefined && !isServer()) store.offer((record?.state ?? null) as State | null, record?.version ?? null);
  return { store, initial };
}

/** Waits for a store's document like React expects: by throwing. */
function suspend<State>(store: Store<State>, seen: Seen<State>): void {
  if (seen.state !== undefined) return;
  if (seen.error !== undefined) throw seen.error;
  // React shows the fallback, and renders again in the browser. Next recognizes the name as intended.
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
  const { store, initial } = useStore(source, record);
  const getInitial = useCallback(() => initial, [initial]);
  const seen = useSyncExternalStore(store.subscribe, store.getSnapshot, getInitial);
  if (options.suspense) suspend(store, seen);
  const update = useCallback((change: Change<State>, more?: UpdateOptions<State>) => store.update(change, more), [store]);
  return { ...seen, update };
}

/** Represents an unknown part of a document, for components that wait for it. */
const waiting = Symbol();

/** A part of a document. Renders only when the part changes, compared as JSON. With `suspense`, only known documents are selected from. */
export function useSelected<State, Part>(
  source: Source<State>,
  record: ServerRecord | null | undefined,
  select: (state: State | null | undefined) => Part,
  options: StateHookOptions,
): Part {
  const { store, initial } = useStore(source, record);
  const last = useRef<{ readonly part: Part } | undefined>(undefined);
  const partOf = (seen: Seen<State>): Part | typeof waiting => {
    if (options.suspense && seen.state === undefined) return waiting;
    const part = select(seen.state);
    if (last.current === undefined || !isAlike(last.current.part, part)) last.current = { part };
    return last.current.part;
  };
  const part = useSyncExternalStore(
    store.subscribe,
    () => partOf(store.getSnapshot()),
    () => partOf(initial),
  );
  if (part !== waiting) return part;
  suspend(store, isServer() ? initial : store.getSnapshot());
  return select(store.getSnapshot().state); // it became known in between
}
