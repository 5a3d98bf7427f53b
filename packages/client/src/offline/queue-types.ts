/** Types of a queue. */
import type { SubscribeOptions } from '../live/snapshot.ts';
import type { TextStorage } from '../storage.ts';
import type { ArgumentsOf } from './mutators.ts';
import type { QueuedChange } from './queue-list.ts';
import type { QueueView } from './queue-view.ts';
import type { Settled } from './settled.ts';

/** Options of {@link openQueue}. */
export interface QueueOptions<State> {
  /** Keeps waiting changes; `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** The name in the storage, one for each document. Under each name, every player has their own queue. */
  readonly name: string;
  /** State of a document that does not exist yet. */
  readonly initial?: State;
  /** Called with each outcome, even for changes that earlier pages stored, in the tab that sent the change. */
  readonly onSettled?: (settled: Settled) => void;
  /**
   * Changes stored under this name without an owner are never sent. With true, they belong to the player who is signed in when the queue
   * opens. Use it only if the name contains the player's id.
   */
  readonly adoptOld?: boolean;
}

/** A stored change. */
export interface Queued {
  /** Its number in the queue. */
  readonly id: number;
  /**
   * Its outcome, whichever tab sends it. Never rejects: a refusal is an outcome with its error. It resolves in this page only; `onSettled`
   * reports changes that wait longer.
   */
  readonly settled: Promise<Settled>;
}

/** Waiting changes, in order. All functions concern the changes of the signed-in player. */
export interface Queue<State, Defined> {
  /**
   * Stores a change of the signed-in player. It is sent as soon as the service can be reached and that player is signed in. Resolves when
   * the change is stored. Rejects with `signed_out` when signed out.
   */
  readonly run: { readonly [Name in keyof Defined]: (...args: ArgumentsOf<Defined[Name]>) => Promise<Queued> };
  /** How many changes wait. */
  pending(): Promise<number>;
  /** Returns the waiting changes in order, `unhandled` ones first. */
  list(): Promise<readonly QueuedChange[]>;
  /**
   * Calls the listener with {@link Queue.list}, now and after each change, in every tab, even offline. Returns a function that ends this.
   * Failures of the storage call `onError`.
   */
  watch(listener: (changes: readonly QueuedChange[]) => void, options?: SubscribeOptions): () => void;
  /** Discards a waiting change. Returns false if it no longer waits, or was sent and may have been applied. */
  discard(id: number): Promise<boolean>;
  /** Sends the waiting changes. Resolves when none wait, or the service cannot be reached. */
  flush(): Promise<void>;
  /** Returns `state` with the waiting changes applied, except those that their mutator refuses. */
  preview(state: State): Promise<State>;
  /**
   * Calls the listener with the document as it will be after the waiting changes, now and after each change of either, in every tab. A
   * change shows once, as soon as it is stored. Returns a function that ends this. The document must come from `createClient`. `onError` is
   * that of its `subscribe`.
   */
  subscribe(listener: (view: QueueView<State>) => void, options?: SubscribeOptions): () => void;
  /** Stops sending. Waiting changes stay in the storage. */
  close(): void;
}
