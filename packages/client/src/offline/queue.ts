import type { Subscribable } from '../client.ts';
import { type Change, type Document, type Internals, internals } from '../documents/document.ts';
import { isHoldfastError } from '../errors.ts';
import type { SubscribeOptions } from '../live/feed.ts';
import { backoff, randomId, runtime } from '../runtime.ts';
import { browserStorage, type TextStorage } from '../storage.ts';
import { exclusive } from './exclusive.ts';
import { type QueueView, watchWaiting } from './queue-view.ts';
import { type Entry, Waiting } from './waiting.ts';

/** Named changes of a document. Each gets a draft and the arguments, which have to be JSON: they are stored. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only changes its draft returns nothing
export type Mutators<State> = Readonly<Record<string, (draft: State, ...args: never[]) => State | undefined | void>>;

/** Gives mutators their types; returns them as they are. */
export function defineMutators<State, Defined extends Mutators<State>>(mutators: Defined & Mutators<State>): Defined {
  return mutators;
}

type ArgumentsOf<Mutator> = Mutator extends (draft: never, ...args: infer Arguments) => unknown ? Arguments : never;

/** What became of a change. */
export interface Settled {
  readonly name: string;
  readonly args: readonly unknown[];
  /**
   * `refused`: the service or the mutator refused it. `unknown`: its response was lost more than a day ago, and the service no longer
   * knows whether it was carried out.
   */
  readonly outcome: 'applied' | 'refused' | 'unknown';
  readonly version?: number | undefined;
  readonly error?: unknown;
}

/** Where {@link openQueue} keeps changes, and whom it tells what became of them. */
export interface QueueOptions<State> {
  /** Where waiting changes are kept: `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** The name in the storage. Queues of different documents and players need different names. */
  readonly name: string;
  /** What a document that does not exist yet begins with. */
  readonly initial?: State;
  /** Called when a change that waited is through, or given up. */
  readonly onSettled?: (settled: Settled) => void;
}

/** Changes that wait for the service, in order. */
export interface Queue<State, Defined> {
  /** Stores a change; it is applied as soon as the service can be reached. Resolves when it is stored. */
  readonly run: { readonly [Name in keyof Defined]: (...args: ArgumentsOf<Defined[Name]>) => Promise<void> };
  /** How many changes wait. */
  pending(): Promise<number>;
  /** Sends what waits. Resolves when nothing waits any more, or the service cannot be reached. */
  flush(): Promise<void>;
  /** The state as it will be, when all that waits is applied to this one. A change that its mutator refuses is left out. */
  preview(state: State): Promise<State>;
  /**
   * Calls the listener with the document as it will be, and again when the document changes or what waits: in every tab, whichever
   * tab sends. A change shows once, from the moment when it is stored. Returns what ends that. The document has to come from
   * `createClient`, which has `subscribe`; `onError` is that of `subscribe`.
   */
  subscribe(listener: (view: QueueView<State>) => void, options?: SubscribeOptions): () => void;
  /** Sends nothing more. What waits stays in the storage. */
  close(): void;
}

/** The service keeps keys for 24 hours. */
const keyMs = 23 * 3_600_000;

/**
 * Opens the queue of a document. A change is stored before it is sent, and removed after the response. So each is applied exactly once
 * and in order, also over reloads, crashes and several tabs.
 */
export function openQueue<State, Defined extends Mutators<State>>(
  target: Internals<State> & Partial<Subscribable<State>>,
  mutators: Defined,
  { storage = browserStorage(), name, initial, onSettled }: QueueOptions<State>,
): Queue<State, Defined> {
  const place = `holdfast:queue:${name}`;
  const waiting = new Waiting(storage, place);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isClosed = false;

  const changeOf = ({ name: mutator, args }: Entry): Change<State> => {
    const found = mutators[mutator];
    if (found === undefined) throw new Error(`there is no mutator ${mutator}`);
    return (draft) => found(draft, ...(args as never[]));
  };
  const takeStep = (entry: Entry) => step(target[internals](), entry, () => changeOf(entry), waiting, initial);

  const flush = (): Promise<void> =>
    exclusive(`${place}:flush`, async () => {
      clearTimeout(timer);
      for (let entry = (await waiting.read())[0]; entry !== undefined && !isClosed; entry = (await waiting.read())[0]) {
        const { id, name: mutator, args } = entry;
        const settled = await takeStep(entry).catch((error: unknown): Settled | 'later' =>
          isTemporary(error) ? 'later' : { name: mutator, args, outcome: 'refused', error },
        );
        if (settled === 'later') {
          timer = setTimeout(begin, backoff(failures++, 1_000, 60_000));
          return;
        }
        if (settled === undefined) continue;
        failures = 0;
        await waiting.remove(id, settled.version);
        onSettled?.(settled);
      }
    });
  const begin = (): void => void (isClosed || flush().catch(() => {}));

  runtime.addEventListener?.('online', begin);
  begin();
  const add = async (mutator: string, args: readonly unknown[]): Promise<void> => {
    await waiting.add({ id: randomId(), name: mutator, args });
    begin();
  };
  const preview = (state: State, entries: readonly Entry[]) =>
    previewOf(
      state,
      entries.map((entry) => () => changeOf(entry)),
    );
  return {
    run: Object.fromEntries(
      Object.keys(mutators).map((mutator) => [mutator, (...args: unknown[]) => add(mutator, args)]),
    ) as unknown as Queue<State, Defined>['run'],
    pending: async () => (await waiting.read()).length,
    flush,
    preview: async (state) => preview(state, await waiting.read()),
    subscribe: (listener, options) =>
      watchWaiting(
        target,
        waiting,
        async (state, entries) =>
          state === null && entries.length === 0 ? null : preview(state ?? initial ?? ({} as State), entries),
        listener,
        options,
      ),
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting.close();
      runtime.removeEventListener?.('online', begin);
    },
  };
}

/** The state after changes; without those that their mutators refuse, which the service will not see either. */
async function previewOf<State>(state: State, changes: readonly (() => Change<State>)[]): Promise<State> {
  let next = state;
  for (const changeOf of changes) {
    const draft = structuredClone(next);
    try {
      next = ((await changeOf()(draft)) as State | undefined) ?? draft;
    } catch {
      // The queue reports it when its turn comes.
    }
  }
  return next;
}

/** Takes one step with an entry. Returns what became of it, or undefined when there is more to do with it. */
async function step<State>(
  document: Document<State>,
  { id, name, args, sent }: Entry,
  change: () => Change<State>,
  waiting: Waiting,
  initial: State | undefined,
): Promise<Settled | undefined> {
  if (sent !== undefined) {
    try {
      const { version } = await document.write('PATCH', sent.version, sent.body, {}, sent.key);
      return { name, args, outcome: 'applied', version };
    } catch (error) {
      if (!isHoldfastError(error, 'version_conflict')) throw error;
      const isForgotten = Date.now() - sent.at > keyMs && error.currentVersion !== sent.version;
      if (isForgotten) return { name, args, outcome: 'unknown', error };
    }
  }
  const base = await document.read();
  const body = await document.patchOf(change(), base, initial);
  if (body === undefined) return { name, args, outcome: 'applied', version: base?.version };
  await waiting.replace({
    id,
    name,
    args,
    sent: { key: randomId(), body, version: base?.version ?? null, at: Date.now() },
  });
  return undefined;
}

/** Whether the same request can succeed later. */
function isTemporary(error: unknown): boolean {
  if (!isHoldfastError(error)) return false;
  const { code, status } = error;
  return ['network_error', 'timeout', 'signed_out'].includes(code) || [401, 408, 429].includes(status) || status >= 500;
}
