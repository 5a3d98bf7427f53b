import type { JsonValue } from '@holdfast/json';
import type { Owner } from '../auth/owner.ts';
import { internals } from '../documents/document.ts';
import type { Stored } from '../documents/stored.ts';
import { asHoldfastError } from '../errors.ts';
import { isObject, plainShared, printExact } from '../exact.ts';
import { withinLimits } from '../limits.ts';
import { tellAll } from '../listeners.ts';
import type { CachedDocument } from '../offline/cached-document.ts';
import { backoff, delay, runtime } from '../runtime.ts';
import { show } from '../schema.ts';
import { untilActive, whileActive } from './activity.ts';
import { applyOps } from './apply.ts';
import { firstEventMs, readPoll, readStream, type WireEvent } from './connection.ts';
import { snapshotOf } from './defaults.ts';
import { eventIn, eventTypes } from './event.ts';
import { isFinal, pauseMs } from './refusal.ts';
import type { FeedOptions, Listener, Run } from './run.ts';
import { withSlot } from './slots.ts';
import type { Snapshot, SubscribeOptions } from './snapshot.ts';
import { streamOwner } from './stream-owner.ts';

export type { Snapshot, SubscribeOptions } from './snapshot.ts';

/** The changes of one document, for all its listeners. One stream is open while anybody listens. */
export class Feed<State> {
  readonly #options: FeedOptions<State>;
  /** The cached document. */
  readonly #cached: CachedDocument<State> | undefined;
  /** The defaults, shown while nothing is known. */
  readonly #unknown: Snapshot<State> | undefined;
  readonly #listeners = new Set<Listener<State>>();
  #run: Run | undefined;
  /** Undefined until known; 0 if there is no document. */
  #version: number | undefined;
  #state: JsonValue = null;
  #isStale = false;
  #snapshot: Snapshot<State> | undefined;
  /** Events are processed one after another. */
  #last: Promise<void> = Promise.resolve();
  /** Whether streams are blocked. */
  #isBuffered = typeof TextDecoder === 'undefined';
  #channel: BroadcastChannel | undefined;
  #isLeading = false;

  constructor(options: FeedOptions<State>) {
    this.#options = options;
    const { cache, schema, endpoint, document } = options;
    const { auth, defaults } = document[internals];
    this.#cached = cache?.documentOf({ auth, url: endpoint.url, schema, defaults });
    document[internals].onRecord((owner, record) => this.#learn(owner, record));
    this.#unknown = defaults && snapshotOf(undefined, { version: null, stale: true }, defaults);
  }

  /** What is known without waiting: the last snapshot, otherwise the cached document, otherwise the defaults. */
  current(): Snapshot<State> | undefined {
    const known = this.#run === undefined ? this.#cached?.peek()?.snapshot : this.#snapshot;
    return known ?? this.#unknown;
  }

  /** Calls a listener with the known document and then with every change. Returns a function that ends this. */
  subscribe(tell: (snapshot: Snapshot<State>) => void, { signal, onError }: SubscribeOptions = {}): () => void {
    const listener: Listener<State> = { tell, onError };
    const end = (): void => {
      this.#listeners.delete(listener);
      signal?.removeEventListener('abort', end);
      if (this.#listeners.size === 0) this.stop();
    };
    if (signal?.aborted) return end;
    signal?.addEventListener('abort', end);
    this.#listeners.add(listener);
    if (this.#run === undefined) this.#start();
    this.#tellSoon([listener]);
    return end;
  }

  /** Sends the known document, but only after `subscribe` has returned the function that ends the subscription. */
  #tellSoon(listeners: readonly Listener<State>[]): void {
    const known = this.current();
    if (known === undefined) return;
    queueMicrotask(() => {
      if (this.current() !== known) return;
      for (const each of listeners) if (this.#listeners.has(each)) tellAll([each.tell], known);
    });
  }

  /** Ends the stream, and drops the known document. */
  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#channel?.close();
    this.#know(undefined, null, false);
    this.#snapshot = undefined;
    this.#cached?.stop();
  }

  /** Ends the stream and all subscriptions. */
  close(): void {
    this.#listeners.clear();
    this.stop();
  }

  /** Restarts for the same listeners, for example after another user has signed in. */
  restart(): void {
    this.stop();
    if (this.#listeners.size === 0) return;
    this.#start();
    this.#tellSoon([...this.#listeners]);
  }

  #start(): void {
    const controller = new AbortController();
    const run: Run = { signal: controller.signal, abort: () => controller.abort(), owner: null };
    const { data, snapshot } = this.#cached?.peek() ?? {};
    if (data !== undefined) this.#know(data.version ?? 0, data.state ?? null, true);
    this.#snapshot = snapshot;
    this.#run = run;
    this.#runAll(run).catch((failure) => {
      if (run !== this.#run) return;
      this.stop();
      this.#tellError(failure);
    });
  }

  #tellError(failure: unknown): void {
    const listeners = [...this.#listeners].map(({ onError }) => onError);
    tellAll(listeners, asHoldfastError(failure));
  }

  async #runAll(run: Run): Promise<void> {
    const { signal } = run;
    const { url } = this.#options.endpoint;
    run.owner = await streamOwner(this.#options.document[internals].auth, signal);
    void this.#recall(run);
    // Tabs that watch the same under this name share one stream.
    const name = `holdfast ${url} ${run.owner}`;
    const mayShare = runtime.document !== undefined && typeof BroadcastChannel !== 'undefined';
    const locks = mayShare ? runtime.navigator?.locks : undefined;
    if (locks !== undefined) this.#join(name, run);
    while (!signal.aborted) {
      await untilActive(signal);
      await whileActive(signal, async (active) => {
        if (locks === undefined) return this.#connect(run, active);
        await locks
          .request(name, { signal: active }, async () => {
            this.#isLeading = true;
            await this.#connect(run, active).finally(() => {
              this.#isLeading = false;
            });
          })
          .catch((failure) => {
            if (!active.aborted) throw failure;
          });
      });
    }
  }

  /** Reconnects until the signal is aborted. Rejects if the service refuses. */
  async #connect(run: Run, active: AbortSignal): Promise<void> {
    const { auth } = this.#options.document[internals];
    const endpoint = { ...this.#options.endpoint, auth, owner: run.owner };
    void this.#readMeanwhile(run, active);
    for (let failures = 0; !active.aborted; ) {
      let waitMs: number | undefined;
      try {
        const take = async (event: WireEvent): Promise<void> => {
          failures = 0;
          await this.#share(run, event);
        };
        // The stream cannot continue from a cached version: the document may have been recreated.
        const since = this.#isStale ? undefined : this.#version;
        const ending = await withSlot(endpoint.url, (hasSlot) =>
          (hasSlot && !this.#isBuffered ? readStream : readPoll)(endpoint, since, take, active, hasSlot),
        );
        this.#isBuffered ||= ending.isBuffered === true;
        waitMs = ending.isBuffered ? 0 : ending.retryMs;
        if (waitMs !== undefined) failures = 0;
      } catch (failure) {
        if (active.aborted) return;
        if (isFinal(failure)) throw failure;
        waitMs = pauseMs(failure, backoff(failures++, 500, 30_000));
      }
      await delay(waitMs ?? backoff(failures++, 500, 30_000), active).catch(() => {});
    }
  }

  /** Reads the document if nothing arrives for a moment, since detecting a blocked stream takes long. */
  async #readMeanwhile(run: Run, active: AbortSignal): Promise<void> {
    const isUnknown = (): boolean => run === this.#run && (this.#version === undefined || this.#isStale);
    try {
      await delay(firstEventMs, active);
      if (!isUnknown()) return;
      const { version = null, state = null } = (await this.#read(run)) ?? {};
      if (isUnknown()) await this.#share(run, { type: 'snapshot', text: printExact({ version, state }) });
    } catch {} // the stream continues, and reports errors
  }

  #read(run: Run) {
    const { documentOf, timeoutMs } = this.#options.document[internals];
    return withinLimits({ signal: run.signal, timeoutMs }, (limits) =>
      documentOf(run.owner).read(limits, { isFresh: true }),
    );
  }

  /** Processes an event from the service, for the other tabs too. */
  async #share(run: Run, event: WireEvent): Promise<void> {
    this.#channel?.postMessage(event);
    await this.#inTurn(run, () => this.#apply(run, event));
  }

  /** Joins the messages between tabs. */
  #join(name: string, run: Run): void {
    const channel = new BroadcastChannel(name);
    this.#channel = channel;
    channel.onmessage = ({ data }: { readonly data: WireEvent }) => {
      if (run !== this.#run) return;
      if (data.type !== 'hello') return void this.#inTurn(run, () => this.#apply(run, data)).catch(() => {});
      if (!this.#isLeading || this.#version === undefined || this.#isStale) return;
      channel.postMessage({ type: 'snapshot', text: this.#print() });
    };
    channel.postMessage({ type: 'hello', text: '' });
  }

  /** Takes over the result of a read or write of this page, which may precede the stream. */
  #learn(owner: Owner, { version, state }: Stored): void {
    const run = this.#run;
    if (run === undefined || run.owner !== owner) return;
    const take = (): Promise<void> | undefined =>
      this.#isStale || version > (this.#version ?? 0) ? this.#set(run, version, state) : undefined;
    void this.#inTurn(run, async () => take()).catch(() => {});
  }

  #inTurn(run: Run, work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(() => (run === this.#run ? work() : undefined));
    this.#last = done.catch(() => {});
    return done;
  }

  async #apply(run: Run, { type, text }: WireEvent): Promise<void> {
    if (!eventTypes.includes(type)) return;
    const data = eventIn(text);
    const version = data.version ?? 0;
    if (type === 'snapshot' || type === 'reset') {
      if (version === this.#version && !this.#isStale) return;
      // A snapshot for another tab may be older than what arrived meanwhile.
      if (type === 'snapshot' && !this.#isStale && version !== 0 && version < (this.#version ?? 0)) return;
      return this.#set(run, version, data.state ?? null);
    }
    if (this.#isStale || version <= (this.#version ?? -1)) return;
    if (data.refetch || data.from !== this.#version) {
      const record = await this.#read(run);
      return this.#set(run, record?.version ?? 0, record?.state ?? null);
    }
    return this.#set(run, version, applyOps(data.from === 0 ? {} : this.#state, data.ops ?? []));
  }

  /** Takes over a document and shows it, unless its run has ended: it may belong to a user who has left. */
  async #set(run: Run, version: number, state: JsonValue, stale = false): Promise<void> {
    if (run !== this.#run) return;
    this.#know(version, state, stale);
    if (!stale) this.#cached?.keepSoon(run.owner, () => this.#print());
    let shown: State | null;
    try {
      shown = state === null ? null : await show(this.#options.schema, state, plainShared(state));
    } catch (error) {
      if (run === this.#run) this.#tellError(error);
      return;
    }
    if (run !== this.#run) return;
    if (isObject(state)) this.#options.document[internals].documentOf(run.owner).tell(version, state);
    const { defaults } = this.#options.document[internals];
    const snapshot = snapshotOf(shown, { version: version === 0 ? null : version, stale }, defaults);
    this.#snapshot = snapshot;
    tellAll(
      [...this.#listeners].map(({ tell }) => tell),
      snapshot,
    );
  }

  #print(): string {
    return printExact({ version: this.#version, state: this.#state });
  }

  #know(version: number | undefined, state: JsonValue, stale: boolean): void {
    this.#version = version;
    this.#state = state;
    this.#isStale = stale;
  }

  /** Begins with the cached document, unless the service is faster. */
  async #recall(run: Run): Promise<void> {
    const data = await this.#cached?.recall(run.owner);
    if (data === undefined || run !== this.#run || this.#version !== undefined) return;
    await this.#set(run, data.version ?? 0, data.state ?? null, true);
  }
}
