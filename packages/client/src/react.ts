/**
 * Hooks for React 18 and 19.
 *
 * @packageDocumentation
 */
import * as React from 'react';
import type { Auth } from './auth/auth.ts';
import type { User } from './auth/claims.ts';
import type { SignInAuth } from './auth/sign-in.ts';
import type { Client } from './client-types.ts';
import type { Unknown } from './live/snapshot.ts';
import {
  type Known,
  type ServerRecord,
  type StateHook,
  type StateHookOptions,
  useDocument,
  useSelected,
} from './react/documents.ts';
import type { Source } from './react/store.ts';
import type { PublicOf, Types, UserOf } from './types.ts';

export type { Known, StateHook, StateHookOptions } from './react/documents.ts';
export { queryOptions } from './react/query.ts';
export { type QueueHook, useQueue } from './react/queue.ts';
export type { Seen } from './react/store.ts';

// In server components, under the condition `react-server`, React has no hooks.
const { createContext, createElement, useCallback, useContext, useEffect, useState, useSyncExternalStore } = React;
type ReactNode = React.ReactNode;

/** Documents that the server has read, for the first render there and in the browser. */
export interface Initial {
  readonly publicState?: ServerRecord | null | undefined;
  readonly userState?: ServerRecord | null | undefined;
}

interface Held {
  readonly client: Client | undefined;
  readonly initial: Initial;
}

const Context = createContext?.<Held>({ client: undefined, initial: {} });

/** Properties of {@link HoldfastProvider}. */
export interface HoldfastProviderProps {
  // biome-ignore lint/suspicious/noExplicitAny: hooks name the types of the documents
  readonly client?: Client<any, any, any, any>;
  readonly initial?: Initial;
  readonly children?: ReactNode;
}

/** Gives a client to the hooks below. Hooks of {@link createHooks} have their client, and take only `initial` from it. */
export function HoldfastProvider({ client, initial = {}, children }: HoldfastProviderProps): ReactNode {
  const [held, setHeld] = useState<Held>({ client, initial });
  if (held.client !== client) setHeld({ client, initial });
  return createElement(Context.Provider, { value: held }, children);
}

/** The client of a hook, and its documents read by the server. */
function useHeld(own: Client | undefined): { readonly client: Client; readonly initial: Initial } {
  const { client = own, initial } = useContext(Context);
  if (client === undefined) throw new Error('there is no HoldfastProvider above this component');
  return { client: own ?? client, initial };
}

/** The signed-in user. */
export interface Session {
  readonly user: User | null;
  /** Whether `user` is still unknown. */
  readonly isLoading: boolean;
  /** Signs in and out, if the client can. */
  readonly auth: Auth & Partial<SignInAuth>;
}

const nobody = (): null => null;

function useSessionOf<A extends Auth>(auth: A): Omit<Session, 'auth'> & { readonly auth: A } {
  const [readyAuth, setReadyAuth] = useState<Auth>();
  useEffect(() => {
    let isMounted = true;
    const tell = (): void => {
      if (isMounted) setReadyAuth(auth);
    };
    auth.ready.then(tell, tell);
    return () => {
      isMounted = false;
    };
  }, [auth]);
  const subscribe = useCallback((listener: () => void) => auth.onChange(listener), [auth]);
  const user = useSyncExternalStore(subscribe, () => auth.user, nobody);
  return { user, isLoading: readyAuth !== auth && user === null, auth };
}

/** The hook of a typed document. */
interface DocumentHook<State, Missing> {
  (options: StateHookOptions & { readonly suspense: true }): StateHook<State, Missing>;
  (options?: StateHookOptions): StateHook<State, Missing | Unknown<Missing>>;
}

/** The hook of a part of a document. The component renders only when the part changes. With `suspense`, the document is known. */
interface PartHook<State, Missing> {
  <Part>(select: (state: State | Missing) => Part, options: StateHookOptions & { readonly suspense: true }): Part;
  <Part>(select: (state: State | Missing | Unknown<Missing>) => Part, options?: StateHookOptions): Part;
}

/** What {@link createHooks} returns. `Missing` is public state without a document: never with defaults. */
export interface Hooks<T, A extends Auth = Auth, Missing = null> {
  readonly usePublicState: DocumentHook<PublicOf<T>, Missing>;
  readonly usePublicPart: PartHook<PublicOf<T>, Missing>;
  readonly useUserState: DocumentHook<UserOf<T>, null>;
  readonly useUserPart: PartHook<UserOf<T>, null>;
  /** Returns who is signed in, and `auth`. On a server, nobody is. */
  readonly useSession: () => Omit<Session, 'auth'> & { readonly auth: A };
}

/** Returns hooks that know the client's types and need no provider. Call it once, beside the client. */
export function createHooks<T extends Types, A extends Auth, I extends Types, Missing>(
  client: Client<T, A, I, Missing>,
): Hooks<T, A, Missing> {
  const own = client as unknown as Client;
  const hookOf = <State, Nothing>(name: Name) =>
    ((options: StateHookOptions = {}) => useOf<State>(name, options, own)) as DocumentHook<State, Nothing>;
  const partHookOf = <State, Nothing>(name: Name) =>
    ((select: (state: State | null | undefined) => unknown, options?: StateHookOptions) =>
      usePartOf(name, select, options, own)) as PartHook<State, Nothing>;
  return {
    usePublicState: hookOf<PublicOf<T>, Missing>('publicState'),
    usePublicPart: partHookOf<PublicOf<T>, Missing>('publicState'),
    useUserState: hookOf<UserOf<T>, null>('userState'),
    useUserPart: partHookOf<UserOf<T>, null>('userState'),
    useSession: () => useSessionOf(client.auth),
  };
}

type Name = 'publicState' | 'userState';

function useOf<State>(name: Name, options: StateHookOptions, own?: Client): StateHook<State> {
  const { client, initial } = useHeld(own);
  return useDocument(client[name] as unknown as Source<State>, initial[name], options);
}

function usePartOf<State, Part>(
  name: Name,
  select: (state: State | null | undefined) => Part,
  options: StateHookOptions = {},
  own?: Client,
): Part {
  const { client, initial } = useHeld(own);
  return useSelected(client[name] as unknown as Source<State>, initial[name], select, options);
}

/** Public state. Name its type: `usePublicState<Config>()`. With `suspense`, `state` is never undefined. */
export function usePublicState<State>(options: StateHookOptions & { readonly suspense: true }): Known<State>;
export function usePublicState<State>(options?: StateHookOptions): StateHook<State>;
export function usePublicState<State>(options: StateHookOptions = {}): StateHook<State> {
  return useOf('publicState', options);
}

/** A part of public state: `usePublicPart((config: Config | null | undefined) => config?.motd)`. Renders only when the part changes. */
export function usePublicPart<State, Part>(
  select: (state: State | null) => Part,
  options: StateHookOptions & { readonly suspense: true },
): Part;
export function usePublicPart<State, Part>(
  select: (state: State | null | undefined) => Part,
  options?: StateHookOptions,
): Part;
export function usePublicPart<State, Part>(
  select: (state: State | null | undefined) => Part,
  options?: StateHookOptions,
): Part {
  return usePartOf('publicState', select, options);
}

/** The signed-in player's state. Name its type: `useUserState<Save>()`. With `suspense`, `state` is never undefined. */
export function useUserState<State>(options: StateHookOptions & { readonly suspense: true }): Known<State>;
export function useUserState<State>(options?: StateHookOptions): StateHook<State>;
export function useUserState<State>(options: StateHookOptions = {}): StateHook<State> {
  return useOf('userState', options);
}

/** A part of the signed-in player's state. Renders only when the part changes. */
export function useUserPart<State, Part>(
  select: (state: State | null) => Part,
  options: StateHookOptions & { readonly suspense: true },
): Part;
export function useUserPart<State, Part>(
  select: (state: State | null | undefined) => Part,
  options?: StateHookOptions,
): Part;
export function useUserPart<State, Part>(
  select: (state: State | null | undefined) => Part,
  options?: StateHookOptions,
): Part {
  return usePartOf('userState', select, options);
}

/** Returns who is signed in, and `auth`. On a server, nobody is. */
export function useSession(): Session {
  return useSessionOf<Session['auth']>(useHeld(undefined).client.auth);
}
