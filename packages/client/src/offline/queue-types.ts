/** What a queue is. */
import type { SubscribeOptions } from '../live/snapshot.ts';
import type { TextStorage } from '../storage.ts';
import type { ArgumentsOf } from './mutators.ts';
import type { QueuedChange } from './queue-list.ts';
import type { QueueView } from './queue-view.ts';
import type { Settled } from './settled.ts';

/** Where {@link openQueue} keeps changes, and what it calls when one is settled. */
export interface QueueOptions<State> {
  /** Where waiting changes are kept: `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** The name in the storage. Queues of different documents need different names. Under each name, every player has their own queue. */
  readonly name: string;
  /** What a document that does not exist yet starts as. */
  readonly initial?: State;
  /** Called with what became of each change, also of those that earlier pages stored, in the tab that sent it. */
  readonly onSettled?: (settled: Settled) => void;
  /**
   * Changes that version 0.1.0 stored under this name do not say whose they are. They stay in the storage and are never sent. With true,
   * they belong to the player who is signed in when the queue is opened. Use it only if the name contains the player's id.
   */
  readonly adoptOld?: boolean;
}

/** A change that is stored. */
export interface Queued {
  /** Its number in the queue. */
  readonly id: number;
  /**
   * What becomes of it, whichever tab sends it. Never rejects: a refusal is an outcome, with its error. It resolves in this page only, so
   * `onSettled` is for what waits longer.
   */
  readonly settled: Promise<Settled>;
}

/** Changes that wait for the service, in order. All functions are about the changes of the player who is signed in. */
export interface Queue<State, Defined> {
  /**
   * Stores a change for the player who is signed in. It is applied as soon as the service can be reached and that player is signed in.
   * Resolves when the change is stored, with its number and a promise of what becomes of it. Rejects with `signed_out` when nobody is signed in.
   */
  readonly run: { readonly [Name in keyof Defined]: (...args: ArgumentsOf<Defined[Name]>) => Promise<Queued> };
  /** How many changes wait. */
  pending(): Promise<number>;
  /** What waits, in order. What this release of the application has no mutator for comes first. */
  list(): Promise<readonly QueuedChange[]>;
  /**
   * Calls the listener with {@link Queue.list}, now and whenever it changes, in every tab. Returns a function that ends this. It does not
   * need the document, so it works without a connection. `onError` is called when the storage fails.
   */
  watch(listener: (changes: readonly QueuedChange[]) => void, options?: SubscribeOptions): () => void;
  /** Discards a waiting change. Returns false when it does not wait any more, or was sent: then it may have been applied already. */
  discard(id: number): Promise<boolean>;
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
