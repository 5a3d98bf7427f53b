import { type Owner, ownerOf } from '../auth/owner.ts';
import type { Subscribable } from '../client.ts';
import { type Change, type Internals, internals } from '../documents/document.ts';
import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import type { SubscribeOptions } from '../live/feed.ts';
import { backoff, copyOf, runtime } from '../runtime.ts';
import { browserStorage, guarded, type TextStorage } from '../storage.ts';
import { type QueueView, type Watched, watchWaiting } from './queue-view.ts';
import { Sender, type Settled } from './sender.ts';
import { type Entry, Waiting } from './waiting.ts';

/** Named changes of a document. Each gets a draft and the arguments, which have to be JSON: they are stored. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only changes its draft returns nothing
export type Mutators<State> = Readonly<Record<string, (draft: State, ...args: never[]) => State | undefined | void>>;

/** Gives mutators their types; returns them as they are. */
export function defineMutators<State, Defined extends Mutators<State>>(mutators: Defined & Mutators<State>): Defined {
  return mutators;
}

type ArgumentsOf<Mutator> = Mutator extends (draft: never, ...args: infer Arguments) => unknown ? Arguments : never;

/** Where {@link openQueue} keeps changes, and what it calls when one is settled. */
export interface QueueOptions<State> {
  /** Where waiting changes are kept: `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** The name in the storage. Queues of different documents need different names. Under each name, every player has their own queue. */
  readonly name: string;
  /** What a document that does not exist yet starts as. */
  readonly initial?: State;
  /** Called when a waiting change was applied or refused, or when its outcome is unknown. */
  readonly onSettled?: (settled: Settled) => void;
  /**
   * Changes that version 0.1.0 stored under this name do not say whose they are. They stay in the storage and are never sent. With true,
   * they belong to the player who is signed in when the queue is opened. Use it only if the name contains the player's id.
   */
  readonly adoptOld?: boolean;
}

/** Changes that wait for the service, in order. All functions are about the changes of the player who is signed in. */
export interface Queue<State, Defined> {
  /**
   * Stores a change for the player who is signed in. It is applied as soon as the service can be reached and that player is signed in.
   * Resolves when the change is stored. Rejects with `signed_out` when nobody is signed in.
   */
  readonly run: { readonly [Name in keyof Defined]: (...args: ArgumentsOf<Defined[Name]>) => Promise<void> };
  /** How many changes wait. */
  pending(): Promise<number>;
  /** Sends the waiting changes. Resolves when none wait any more, or when the service cannot be reached. */
  flush(): Promise<void>;
  /** Returns what `state` will be after the waiting changes. A change that its mutator refuses is left out. */
  preview(state: State): Promise<State>;
  /**
   * Calls the listener with the document as it will be, and again when the document or the waiting changes change, in every tab. A
   * change shows once, from the moment when it is stored. Returns a function that ends this. The document must come from
   * `createClient`, which has `subscribe`; `onError` is that of `subscribe`.
   */
  subscribe(listener: (view: QueueView<State>) => void, options?: SubscribeOptions): () => void;
  /** Stops sending. Waiting changes stay in the storage. */
  close(): void;
}

/**
 * Opens the queue of a document. A change is stored before it is sent, and removed after the response. So each is applied exactly once
 * and in order, also over reloads, crashes and several tabs. All waiting changes are sent as one patch. A change belongs to the player
 * who made it, and waits until that player is signed in.
 */
export function openQueue<State, Defined extends Mutators<State>>(
  target: Internals<State> & Partial<Subscribable<State>>,
  mutators: Defined,
  options: QueueOptions<State>,
): Queue<State, Defined> {
  const { initial, onSettled } = options;
  const { auth } = target[internals];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const changeOf = ({ name, args }: Entry): Change<State> => {
    const found = Object.hasOwn(mutators, name) ? mutators[name] : undefined;
    if (found === undefined) throw new Error(`there is no mutator ${name}`);
    return (draft) => found(draft, ...(args as never[]));
  };
  const lines = openLines(target, (entry) => (draft) => changeOf(entry)(draft), options);

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    const line = await lines.mine();
    const again = (failures: number): void => {
      clearTimeout(timer);
      if (!isClosed) timer = setTimeout(begin, backoff(failures, 1_000, 60_000));
    };
    await line?.sender.flush(
      () => isClosed,
      (settled) => tellAll([onSettled], settled),
      again,
    );
  };
  const begin = (): void => void (isClosed || flush().catch(() => {}));

  runtime.addEventListener?.('online', begin);
  const endAuth = auth.onChange(begin);
  begin();
  const add = async (mutator: string, args: readonly unknown[]): Promise<void> => {
    const line = await lines.mine();
    if (line === undefined) throw new HoldfastError('signed_out', 'nobody is signed in whose change this could be');
    await line.waiting.add(mutator, args);
    begin();
  };
  const waitingNow = async (): Promise<readonly Entry[]> => (await (await lines.mine())?.waiting.read()) ?? [];
  const preview = (state: State, entries: readonly Entry[]) =>
    previewOf(
      state,
      entries.map((each) => () => changeOf(each)),
    );
  const watched: Watched<State> = {
    auth,
    waiting: async () => (await lines.of(auth.user?.id ?? null)).waiting,
    onChange: lines.onChange,
    preview: async (state, entries) =>
      state === null && entries.length === 0 ? null : preview(state ?? initial ?? ({} as State), entries),
  };
  return {
    run: Object.fromEntries(
      Object.keys(mutators).map((mutator) => [mutator, (...args: unknown[]) => add(mutator, args)]),
    ) as unknown as Queue<State, Defined>['run'],
    pending: async () => (await waitingNow()).length,
    flush,
    preview: async (state) => preview(state, await waitingNow()),
    subscribe: (listener, more) => watchWaiting(target, watched, listener, more),
    close() {
      isClosed = true;
      clearTimeout(timer);
      lines.close();
      endAuth();
      runtime.removeEventListener?.('online', begin);
    },
  };
}

/** What waits for one user, and what sends it. */
interface Line<State> {
  readonly waiting: Waiting;
  readonly sender: Sender<State>;
}

/** The lines of a queue: one for each user. */
function openLines<State>(
  target: Internals<State>,
  changeOf: (entry: Entry) => Change<State>,
  { storage = browserStorage(), name, initial, adoptOld = false }: QueueOptions<State>,
) {
  const { auth, documentOf, timeoutMs } = target[internals];
  const place = `holdfast:queue:${name}`;
  const kept = guarded(storage);
  const listeners = new Set<() => void>();
  const lines = new Map<Owner, Promise<Line<State>>>();
  const open = async (owner: Owner): Promise<Line<State>> => {
    const waiting = new Waiting(kept, `${place}:${owner ?? ''}`, () => tellAll(listeners));
    if (adoptOld) await waiting.adopt(place);
    const document = () => documentOf(owner);
    return { waiting, sender: new Sender<State>({ waiting, document, timeoutMs, changeOf, initial }) };
  };
  const of = (owner: Owner): Promise<Line<State>> => {
    const line = lines.get(owner) ?? open(owner);
    lines.set(owner, line);
    line.catch(() => lines.delete(owner)); // the storage may work the next time
    return line;
  };
  return {
    of,
    /** The line of whoever is signed in now; undefined when nobody is. */
    mine: async (): Promise<Line<State> | undefined> => {
      try {
        return await of(await ownerOf(auth));
      } catch (failure) {
        if (isHoldfastError(failure, 'signed_out')) return undefined;
        throw failure;
      }
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      for (const line of lines.values()) line.then(({ waiting }) => waiting.close()).catch(() => {});
    },
  };
}

/** The state after changes; without those that their mutators refuse, which the service will not see either. */
async function previewOf<State>(state: State, changes: readonly (() => Change<State>)[]): Promise<State> {
  let next = state;
  for (const changeOf of changes) {
    const draft = copyOf(next);
    try {
      next = ((await changeOf()(draft)) as State | undefined) ?? draft;
    } catch {
      // The queue reports it when its turn comes.
    }
  }
  return next;
}
