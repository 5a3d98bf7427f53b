import { type Change, type Internals, internals, type UpdateOptions } from '../documents/document.ts';
import type { AnyHoldfastError } from '../errors.ts';
import { bareState, filled } from '../live/defaults.ts';
import type { Snapshot, SubscribeOptions } from '../live/feed.ts';
import { copyOf, runtime } from '../runtime.ts';

/** A document as a component sees it. `Missing` is `state` without a document: never with defaults. */
export interface Seen<State, Missing = null | undefined> {
  /** Undefined until it is known; null if no document exists. Includes unsaved changes. */
  readonly state: State | Missing;
  /** The version that the service confirmed. */
  readonly version: number | null | undefined;
  /** Whether it is the cached document or the defaults, unconfirmed by the service. */
  readonly stale: boolean;
  /** Whether changes are being sent. */
  readonly isSaving: boolean;
  /** Why updates have stopped. */
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
  current?(): Snapshot<State> | undefined;
  update(
    change: Change<State>,
    options?: UpdateOptions<State>,
  ): Promise<{ readonly version: number; readonly state: State }>;
}

/** The known document. `bare` is its state without defaults, as changes receive it. */
interface Known<State> extends Pick<Seen<State>, 'state' | 'version' | 'stale'> {
  readonly bare: State | null | undefined;
}

const nothingKnown: Known<never> = { state: undefined, version: undefined, stale: false, bare: undefined };

interface Pending<State> {
  readonly change: Change<State>;
  readonly initial: State | undefined;
}

/**
 * How long the stream continues between two components that use the same document: strict mode mounts twice, and the code of the next page
 * may be loading.
 */
const lingerMs = 5_000;
/** In Node only tests run, which a stream would keep from ending, and a simulated page takes its timers with it. */
const isTested = runtime.process?.versions?.node !== undefined;

/** A document for components: the confirmed state, with pending changes applied. */
export class Store<State> {
  readonly #source: Source<State>;
  readonly #listeners = new Set<() => void>();
  #confirmed: Known<State> = nothingKnown;
  /** The owner of the document. */
  #userId: string | undefined;
  /** Whether a user has left, whom the server's document belonged to. */
  #isLeft = false;
  #error: AnyHoldfastError | undefined;
  #pending: readonly Pending<State>[] = [];
  #seen: Seen<State> = nothingSeen;
  #end: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #known: (() => void) | undefined;
  /** Resolves when the document is known, or never will be. */
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

  /** The document, including in the first frame everything that the client knows. */
  readonly getSnapshot = (): Seen<State> => {
    if (this.#isOfAnother()) this.#drop();
    if (this.#end === undefined && this.#confirmed.state === undefined) this.#take(this.#source.current?.());
    return this.#seen;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.begin();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#endSoon(true);
    };
  };

  /** Starts listening, even for a suspended component that is not mounted yet. */
  begin(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0) this.#endSoon(false);
    this.#end ??= this.#listen();
  }

  #listen(): () => void {
    if (this.#isOfAnother()) this.#drop();
    const endAuth = this.#source[internals]?.auth.onChange(() => {
      if (this.#isOfAnother()) this.#drop();
      this.#tell();
    });
    const endSource = this.#source.subscribe(
      (snapshot) => {
        const hadError = this.#error !== undefined;
        this.#error = undefined;
        this.#take(snapshot);
        if (hadError) this.#show();
        this.#tell();
      },
      {
        onError: (error) => {
          this.#error = error;
          if (error.code === 'signed_out') this.#confirmed = nothingKnown;
          this.#show();
          this.#tell();
        },
      },
    );
    return () => {
      endAuth?.();
      endSource();
    };
  }

  /** Whether the known document belongs to a user who has left. Records the current user. */
  #isOfAnother(): boolean {
    const before = this.#userId;
    this.#userId = this.#source[internals]?.auth.user?.id;
    return before !== undefined && before !== this.#userId;
  }

  /** Drops the document of a user who has left, with its pending changes. */
  #drop(): void {
    this.#confirmed = nothingKnown;
    this.#error = undefined;
    this.#pending = [];
    this.#isLeft = true;
    this.#known?.(); // waiting components now wait for the next user's
    this.whenKnown = this.#untilKnown();
    this.#show();
  }

  /** Takes over the server's document, unless something as new is known. */
  offer(state: State | null, version: number | null): void {
    const known = this.getSnapshot();
    const isNewer = (version ?? 0) > (known.version ?? 0) || (known.stale && version === known.version);
    if (this.#isLeft || (this.#confirmed.state !== undefined && !isNewer)) return;
    this.#confirmed = { state: this.#filled(state), version, stale: false, bare: state };
    this.#show();
  }

  /** Takes over what the client knows. A cached document may be older than the known one. */
  #take(snapshot: Snapshot<State> | undefined): void {
    if (snapshot === undefined) return;
    const { state, version, stale } = snapshot;
    if (stale && this.#confirmed.state !== undefined && (version ?? 0) <= (this.#confirmed.version ?? 0)) return;
    this.#confirmed = { state, version, stale, bare: bareState(snapshot) };
    this.#show();
  }

  /** Shows a change immediately, and reverts it if it is refused. */
  async update(change: Change<State>, options: UpdateOptions<State> = {}): Promise<void> {
    const pending: Pending<State> = { change, initial: options.initial };
    this.#pending = [...this.#pending, pending];
    this.#show();
    this.#tell();
    try {
      const { state, version } = await this.#source.update(change, options);
      const isMine = this.#pending.includes(pending);
      if (isMine && version >= (this.#confirmed.version ?? 0)) {
        this.#confirmed = { state: this.#filled(state), version, stale: false, bare: state };
      }
    } finally {
      this.#pending = this.#pending.filter((each) => each !== pending);
      this.#show();
      this.#tell();
    }
  }

  #filled(state: State | null | undefined): State | null | undefined {
    return filled(state, this.#source[internals]?.defaults);
  }

  #endSoon(hasLeft: boolean): void {
    const end = (): void => {
      if (this.#listeners.size > 0) return;
      this.#end?.();
      this.#end = undefined;
    };
    clearTimeout(this.#timer);
    if (isTested && hasLeft) queueMicrotask(end);
    else this.#timer = setTimeout(end, lingerMs);
  }

  #show(): void {
    const { version, stale, bare } = this.#confirmed;
    let after = bare;
    for (const { change, initial } of this.#pending) after = applied(after, change, initial);
    const state = after === bare ? this.#confirmed.state : this.#filled(after);
    this.#seen = { state, version, stale, isSaving: this.#pending.length > 0, error: this.#error };
    if (state === undefined && this.#error === undefined) return;
    this.#known?.();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The state after a change, as far as it is known immediately. */
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
