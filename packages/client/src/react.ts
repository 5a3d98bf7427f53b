/**
 * Hooks for React 18 and 19.
 *
 * @packageDocumentation
 */
import * as React from 'react';
import type { Auth } from './auth/auth.ts';
import type { User } from './auth/claims.ts';
import type { SignInAuth } from './auth/sign-in.ts';
import type { Client } from './client.ts';
import type { Change, UpdateOptions } from './documents/document.ts';
import { nothingSeen, type Seen, type Source, Store } from './react/store.ts';
import { runtime } from './runtime.ts';
import type { Types } from './types.ts';

export type { Seen } from './react/store.ts';

// Where server components are rendered, under the condition `react-server`, React has no hooks: `queryOptions` works there.
const { createContext, createElement, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } = React;
type ReactNode = React.ReactNode;

/** Documents that the server has read, so that the first render has them, on the server and in the browser. */
export interface Initial {
  readonly publicState?: ServerRecord | null | undefined;
  readonly userState?: ServerRecord | null | undefined;
}

/** A record that `get` has returned on the server. */
interface ServerRecord {
  readonly state: unknown;
  readonly version: number;
}

interface Held {
  readonly client: Client;
  readonly initial: Initial;
}

const Context = createContext?.<Held | undefined>(undefined);

/** The client whose documents the hooks show. */
export interface HoldfastProviderProps {
  // biome-ignore lint/suspicious/noExplicitAny: hooks name the types of the documents
  readonly client: Client<any, any>;
  readonly initial?: Initial;
  readonly children?: ReactNode;
}

/** Gives a client to the hooks below. */
export function HoldfastProvider({ client, initial = {}, children }: HoldfastProviderProps): ReactNode {
  const [held, setHeld] = useState<Held>({ client, initial });
  if (held.client !== client) setHeld({ client, initial });
  return createElement(Context.Provider, { value: held }, children);
}

function useHeld(): Held {
  const held = useContext(Context);
  if (held === undefined) throw new Error('there is no HoldfastProvider above this component');
  return held;
}

/** How a hook waits for its document. */
export interface StateHookOptions {
  /** Suspends the component until the document is known. */
  readonly suspense?: boolean;
}

/** A document and how to change it. */
export interface StateHook<State> extends Seen<State> {
  /** Shows the change at once, and takes it back when it is refused. Rejects then. */
  readonly update: (change: Change<State>, options?: UpdateOptions<State>) => Promise<void>;
}

type Known<State> = StateHook<State> & { readonly state: State | null };

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
const isServer = runtime.document === undefined && runtime.navigator?.product !== 'ReactNative';

/** What a document that the server has read looks like. */
function seenOf<State>(record: ServerRecord | null | undefined): Seen<State> {
  if (record === undefined) return nothingSeen;
  const { state, version } = record ?? { state: null, version: null };
  return { ...nothingSeen, state: state as State | null, version };
}

function useDocument<State>(
  source: Source<State>,
  record: ServerRecord | null | undefined,
  options: StateHookOptions,
): StateHook<State> {
  const store = storeOf(source);
  const initial = useMemo(() => seenOf<State>(record), [record]);
  const getInitial = useCallback(() => initial, [initial]);
  const stored = useSyncExternalStore(store.subscribe, store.getSnapshot, getInitial);
  const seen = stored.state === undefined && stored.error === undefined ? initial : stored;
  if (options.suspense && seen.state === undefined && !isServer) {
    const now = store.getSnapshot();
    if (now.state === undefined && now.error === undefined) {
      store.begin();
      throw store.whenKnown;
    }
  }
  const update = useCallback((change: Change<State>, more?: UpdateOptions<State>) => store.update(change, more), [store]);
  return { ...seen, update };
}

/** The document of the project. Name its type: `usePublicState<Config>()`. With `suspense`, `state` is never undefined. */
export function usePublicState<State>(options: StateHookOptions & { readonly suspense: true }): Known<State>;
export function usePublicState<State>(options?: StateHookOptions): StateHook<State>;
export function usePublicState<State>(options: StateHookOptions = {}): StateHook<State> {
  const { client, initial } = useHeld();
  return useDocument(client.publicState as unknown as Source<State>, initial.publicState, options);
}

/** The state of the end user who is signed in. Name its type: `useUserState<Save>()`. With `suspense`, `state` is never undefined. */
export function useUserState<State>(options: StateHookOptions & { readonly suspense: true }): Known<State>;
export function useUserState<State>(options?: StateHookOptions): StateHook<State>;
export function useUserState<State>(options: StateHookOptions = {}): StateHook<State> {
  const { client, initial } = useHeld();
  return useDocument(client.userState as unknown as Source<State>, initial.userState, options);
}

/** Who is signed in. */
export interface Session {
  readonly user: User | null;
  /** Whether it is not known yet who is signed in. */
  readonly isLoading: boolean;
  /** Sign-in, for clients that have it. */
  readonly auth: Auth & Partial<SignInAuth>;
}

const nobody = (): null => null;

/** Who is signed in, and what signs in and out. On a server nobody is. */
export function useSession(): Session {
  const { auth } = useHeld().client as Client<Types, Auth & Partial<SignInAuth>>;
  const [readyAuth, setReadyAuth] = useState<Auth>();
  useEffect(() => {
    let isMounted = true;
    void auth.ready.then(() => isMounted && setReadyAuth(auth));
    return () => {
      isMounted = false;
    };
  }, [auth]);
  const subscribe = useCallback((listener: () => void) => auth.onChange(listener), [auth]);
  const user = useSyncExternalStore(subscribe, () => auth.user, nobody);
  return { user, isLoading: readyAuth !== auth && user === null, auth };
}

/** Options for `useQuery` of TanStack Query, which reads the document with each refetch. */
export function queryOptions<
  Name extends 'publicState' | 'userState',
  C extends Pick<Client, 'id' | 'auth'> & Documents<Name>,
>(
  client: C,
  name: Name,
): {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => ReturnType<C[Name]['get']>;
} {
  const document: { get(call: { readonly signal?: AbortSignal }): Promise<unknown> } = client[name];
  return {
    queryKey: ['holdfast', client.id, name, name === 'userState' ? (client.auth.user?.id ?? null) : null],
    queryFn: (context) =>
      document.get(context.signal === undefined ? {} : { signal: context.signal }) as ReturnType<C[Name]['get']>,
  };
}

type Documents<Name extends string> = {
  readonly [Each in Name]: { get(call?: { readonly signal?: AbortSignal }): Promise<unknown> };
};
