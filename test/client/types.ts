/**
 * Types of clients: compiled here with the sources, and in `package.slow.test.ts` with the published package. This file is never run.
 */
import {
  type AnyHoldfastError,
  type Client,
  createClient,
  createStateClient,
  defineMutators,
  type GuestAuth,
  type HoldfastErrorCode,
  isHoldfastError,
  openQueue,
  type PublicRecord,
  type QueuedChange,
  type Settled,
  type SignInAuth,
  type Snapshot,
  type Violation,
} from '@holdfast/client';
import { createHooks } from '@holdfast/client/react';
import * as v from 'valibot';
import { z } from 'zod';

/** Compiles only for two identical types. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only for `true`. */
const check = <_ extends true>(): void => {};

const place = { baseUrl: 'https://x.example', accountId: 'acc_1', project: 'p', environment: 'staging' } as const;
const key = { ...place, auth: { apiKey: 'svck_x' } };
type Any = Record<string, unknown>;

interface Config {
  motd: string;
}
interface Save {
  gold: number;
  items?: string[];
}

/** Without a schema, the caller names the types; an unnamed one is any JSON object. */
export async function named(): Promise<void> {
  const { publicState, userState } = createClient<{ publicState: Config; userState: Save }>(key);
  const record = await userState.update(
    (draft) => {
      draft.gold += 1;
    },
    { initial: { gold: 0 } },
  );
  check<Same<typeof record.state, Save>>();
  await userState.update((draft) => ({ ...draft, items: [] }));
  const read = await publicState.get();
  check<Same<NonNullable<typeof read>['state'], Config>>();
  publicState.subscribe(({ state }) => check<Same<typeof state, Config | null>>());
  // @ts-expect-error: the type of the document
  await userState.update((draft) => void Object.assign<Save, Save>(draft, { gold: 'much' }));
  // @ts-expect-error: a write needs the replaced version
  await publicState.put({ motd: '' });
  // @ts-expect-error: the type of the document
  await publicState.put({ motd: 1 }, { ifVersion: 1 });

  const one = createClient<{ userState: Save }>(key);
  const [save, config] = [await one.userState.get(), await one.publicState.get()];
  check<Same<NonNullable<typeof save>['state'], Save>>();
  check<Same<NonNullable<typeof config>['state'], Any>>();
  const none = await createClient(key).userState.get();
  check<Same<NonNullable<typeof none>['state'], Any>>();
}

const saveSchema = z.object({ gold: z.coerce.number<string>().default(10), at: z.coerce.date<string>() });

/** A schema determines the types. Its input and output types may differ. */
export async function inferred(): Promise<void> {
  const { publicState, userState } = createClient({
    ...key,
    schema: { publicState: saveSchema, userState: v.object({ gold: v.optional(v.number(), 0) }) },
  });
  const read = await publicState.get();
  check<Same<NonNullable<typeof read>['state'], { gold: number; at: Date }>>();
  publicState.subscribe(({ state }) => check<Same<typeof state, { gold: number; at: Date } | null>>());
  await publicState.put({ at: '2026-01-01T00:00:00Z' }, { ifVersion: null });
  await publicState.put({ gold: '5', at: '2026-01-01T00:00:00Z' }, { ifVersion: 1 });
  // @ts-expect-error: the schema's input type
  await publicState.put({ gold: 5, at: new Date() }, { ifVersion: 1 });
  await publicState.update((draft) => void draft.at.setTime(0), { initial: { at: '2026-01-01T00:00:00Z' } });
  const save = await userState.update((draft) => void draft.gold++, { initial: {} });
  check<Same<typeof save.state, { gold: number }>>();

  const one = createStateClient({ ...key, schema: { userState: saveSchema } });
  const [mine, config] = [await one.userState.get(), await one.publicState.get()];
  check<Same<NonNullable<typeof mine>['state'], { gold: number; at: Date }>>();
  check<Same<NonNullable<typeof config>['state'], Any>>();

  createClient<{ publicState: { gold: number; at: Date } }>({ ...key, schema: { publicState: saveSchema } });
  // @ts-expect-error: a schema of another type
  createClient<{ publicState: Config }>({ ...key, schema: { publicState: saveSchema } });
}

/** With defaults, public state is never null. Defaults have its type, or the schema's output type. */
export async function withDefaults(): Promise<void> {
  const { publicState, userState } = createClient<{ publicState: Config; userState: Save }>({
    ...key,
    defaults: { publicState: { motd: 'hello' } },
  });
  publicState.subscribe(({ state }) => check<Same<typeof state, Config>>());
  userState.subscribe(({ state }) => check<Same<typeof state, Save | null>>());
  const { state } = publicState.current();
  check<Same<typeof state, Config>>();
  const save = userState.current();
  check<Same<typeof save, Snapshot<Save> | undefined>>();
  const read = await publicState.get();
  check<Same<typeof read, PublicRecord<Config> | null>>();
  // @ts-expect-error: defaults must be complete
  createClient<{ publicState: Config }>({ ...key, defaults: { publicState: {} } });
  // @ts-expect-error: the type of the document
  createClient<{ publicState: Config }>('https://x.example', 'svcp_x', { defaults: { publicState: { motd: 1 } } });

  const client = createClient('https://x.example', 'svcp_x', {
    auth: { guest: true },
    schema: { publicState: saveSchema, userState: v.object({ gold: v.number() }) },
    defaults: { publicState: { gold: 1, at: new Date(0) } },
  });
  check<Same<typeof client.auth, GuestAuth>>();
  const config = client.publicState.current().state;
  check<Same<typeof config, { gold: number; at: Date }>>();
  // @ts-expect-error: the schema's output type
  createClient({ ...key, schema: { publicState: saveSchema }, defaults: { publicState: { at: '2026-01-01' } } });
}

const filled = createClient<{ publicState: Config; userState: Save }>({ ...key, defaults: { publicState: { motd: '' } } });

/** Hooks of a client with defaults always have public state. */
export function useDefaults(): void {
  const { usePublicState, usePublicPart, useUserState } = createHooks(filled);
  const shown = usePublicState();
  check<Same<typeof shown.state, Config>>();
  usePublicPart((part) => check<Same<typeof part, Config>>());
  const mine = useUserState();
  check<Same<typeof mine.state, Save | null | undefined>>();
}

/** With `suspense`, hooks return the document, or null if there is none. */
export function useSuspended(client: Client<{ publicState: Config; userState: Save }>): void {
  const { usePublicState, useUserState, useUserPart } = createHooks(client);
  const config = usePublicState({ suspense: true });
  check<Same<typeof config.state, Config | null>>();
  const save = useUserState();
  check<Same<typeof save.state, Save | null | undefined>>();
  useUserPart((state) => check<Same<typeof state, Save | null>>(), { suspense: true });
  const gold = useUserPart((state) => state?.gold ?? 0);
  check<Same<typeof gold, number>>();
}

/** The type of `auth` follows from the options. */
export async function credentials(): Promise<void> {
  const { auth } = createClient({ ...place, auth: { redirectUri: 'https://y.example/' } });
  check<Same<typeof auth, SignInAuth>>();
  await auth.signIn({ popup: true });
  const guest = createClient({ ...place, auth: { guest: true }, schema: { userState: saveSchema } });
  const save = await guest.userState.get();
  check<Same<NonNullable<typeof save>['state'], { gold: number; at: Date }>>();
  // @ts-expect-error: a guest cannot sign in
  guest.auth.signIn();
  const keyed = createStateClient(key);
  // @ts-expect-error: no sign-in with a key
  keyed.auth.signIn();
  // @ts-expect-error: state without a stream
  keyed.publicState.subscribe;
}

/** A client is assignable to a client with its types. */
export function wrap<T extends { userState: Save }>(client: Client<T>): Client<T> {
  return client;
}
wrap(filled);

/** Queued mutators take the arguments of their functions. */
export async function queued(client: Client<{ userState: Save }>): Promise<void> {
  const add = (draft: Save, n: number): void => {
    draft.gold += n;
  };
  const queue = openQueue(client.userState, defineMutators({ add }), { name: 'q' });
  await queue.run.add(5);
  // @ts-expect-error: an argument of the mutator
  await queue.run.add('5');
  // @ts-expect-error: unknown mutator
  await queue.run.sub(5);
  const mutators = defineMutators({
    add: { version: 2, change: (draft: Save, coins: { gold: number }) => add(draft, coins.gold), older: { 1: add } },
  });
  const versioned = openQueue(client.userState, mutators, { name: 'v' });
  const { id, settled } = await versioned.run.add({ gold: 5 });
  check<Same<typeof settled, Promise<Settled>>>();
  if (await versioned.discard(id)) return;
  const [change] = await versioned.list();
  check<Same<typeof change, QueuedChange | undefined>>();
  // @ts-expect-error: the arguments of the newest version
  await versioned.run.add(5);
}

/** Failures are a union that `code` narrows. */
export function failures(caught: unknown): string {
  if (isHoldfastError(caught, 'version_conflict')) check<Same<typeof caught.currentVersion, number | null>>();
  if (!isHoldfastError(caught)) return '';
  switch (caught.code) {
    case 'version_conflict':
      check<Same<typeof caught.currentVersion, number | null>>();
      return `${caught.currentVersion}`;
    case 'validation_error':
      check<Same<typeof caught.violations, readonly Violation[] | undefined>>();
      return caught.violations?.map(({ path, message }) => `${path} ${message}`).join() ?? caught.message;
    case 'rate_limited':
      return `${caught.retryAfter ?? 1} s`;
    case 'network_error':
      check<Same<typeof caught.status, number & 0>>();
      return 'offline';
    // @ts-expect-error: unknown code
    case 'network_eror':
      return '';
    default:
      check<Same<Extract<HoldfastErrorCode, 'version_conflict'>, 'version_conflict'>>();
      return caught.message;
  }
}

/** TypeScript reports a new code in a function that handles all codes. */
export const isMine = (error: AnyHoldfastError): boolean => error.code === 'signed_out';
