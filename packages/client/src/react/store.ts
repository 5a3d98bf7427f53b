import { type Change, type Internals, internals, type UpdateOptions } from '../documents/document.ts';
import type { AnyHoldfastError } from '../errors.ts';
import type { Snapshot, SubscribeOptions } from '../live/feed.ts';
import { copyOf } from '../runtime.ts';

/** What a component sees of a document. */
export interface Seen<State> {
  /** Undefined until it is known; null when there is no document. Changes that are on their way are in it. */
  readonly state: State | null | undefined;
  /** The version that the service has confirmed. */
  readonly version: number | null | undefined;
  /** Whether it comes from the cache, since the service has not been reached yet. */
  readonly stale: boolean;
  /** Whether changes are on their way. */
  readonly isSaving: boolean;
  /** Why no more updates come. */
  readonly error: AnyHoldfastError | undefined;
}

export const nothingSeen: Seen<never> = {
  state: undefined,
  version: undefined,
  stale: false,
  isSaving: false,
  error: undefined,
};

/** The part of a client's document that the store uses. */
export interface Source<State> extends Partial<Internals<State>> {
  subscribe(listener: (snapshot: Snapshot<State>) => void, options?: SubscribeOptions): () => void;
  update(
    change: Change<State>,
    options?: UpdateOptions<State>,
  ): Promise<{ readonly version: number; readonly state: State }>;
}

interface Pending<State> {
  readonly change: Change<State>;
  readonly initial: State | undefined;
}

/** Between two components that use the same document, as when strict mode mounts twice, the stream goes on. */
const lingerMs = 5_000;

/** A document as components see it: what the service has confirmed, and on top of it the changes that are on their way. */
export class Store<State> {
  readonly #source: Source<State>;
  readonly #listeners = new Set<() => void>();
  #confirmed: Pick<Seen<State>, 'state' | 'version' | 'stale'> = nothingSeen;
  #error: AnyHoldfastError | undefined;
  #pending: readonly Pending<State>[] = [];
  #seen: Seen<State> = nothingSeen;
  #end: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #known: (() => void) | undefined;
  /** Resolves when something is known, or nothing will be. */
  whenKnown: Promise<void>;

  constructor(source: Source<State>) {
    this.#source = source;
    this.whenKnown = this.#untilKnown();
  }

  #untilKnown(): Promise<void> {
    return new Promise((resolve) => {
      this.#known = resolve;
    });
  }

  readonly getSnapshot = (): Seen<State> => this.#seen;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.begin();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#endSoon();
    };
  };

  /** Begins to listen, also for a component that waits and is not mounted yet. */
  begin(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) this.#endSoon();
    this.#end ??= this.#listen();
  }

  #listen(): () => void {
    const auth = this.#source[internals]?.auth;
    let user = auth?.user;
    const endAuth = auth?.onChange((next) => {
      if (user && user.id !== next?.id) this.#forget();
      user = next;
    });
    const endSource = this.#source.subscribe(
      (snapshot) => {
        this.#error = undefined;
        this.#confirmed = snapshot;
        this.#show();
      },
      {
        onError: (error) => {
          this.#error = error;
          if (error.code === 'signed_out') this.#confirmed = nothingSeen;
          this.#show();
        },
      },
    );
    return () => {
      endAuth?.();
      endSource();
    };
  }

  /** Forgets the document of a user who has left, and the changes on their way to it. */
  #forget(): void {
    this.#confirmed = nothingSeen;
    this.#error = undefined;
    this.#pending = [];
    this.whenKnown = this.#untilKnown();
    this.#show();
  }

  /** Shows a change at once, and takes it back when it is refused. */
  async update(change: Change<State>, options: UpdateOptions<State> = {}): Promise<void> {
    const pending: Pending<State> = { change, initial: options.initial };
    this.#pending = [...this.#pending, pending];
    this.#show();
    try {
      const { state, version } = await this.#source.update(change, options);
      const isMine = this.#pending.includes(pending);
      if (isMine && version >= (this.#confirmed.version ?? 0)) this.#confirmed = { state, version, stale: false };
    } finally {
      this.#pending = this.#pending.filter((each) => each !== pending);
      this.#show();
    }
  }

  #endSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end?.();
      this.#end = undefined;
    }, lingerMs);
  }

  #show(): void {
    let { state } = this.#confirmed;
    for (const { change, initial } of this.#pending) state = applied(state, change, initial);
    const { version, stale } = this.#confirmed;
    this.#seen = { state, version, stale, isSaving: this.#pending.length > 0, error: this.#error };
    if (state !== undefined || this.#error !== undefined) this.#known?.();
    for (const listener of this.#listeners) listener();
  }
}

/** The state after a change, as far as that can be said at once. */
function applied<State>(
  state: State | null | undefined,
  change: Change<State>,
  initial: State | undefined,
): State | null | undefined {
  if (state === undefined) return undefined;
  try {
    const draft = copyOf(state ?? initial ?? {}) as State;
    const returned = change(draft);
    if (typeof (returned as Promise<unknown> | undefined)?.then === 'function') return state;
    return (returned as State | undefined) ?? draft;
  } catch {
    return state; // the update fails too, with the reason
  }
}
