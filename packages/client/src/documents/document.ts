import { diff, type JsonObject } from '@holdfast/json';
import type { Auth } from '../auth/auth.ts';
import type { Owner } from '../auth/owner.ts';
import { draftOf } from '../draft.ts';
import { errorOf, HoldfastError, isHoldfastError } from '../errors.ts';
import { plainOf, printExact } from '../exact.ts';
import { type CallOptions, type Limits, orAborted } from '../limits.ts';
import { resultOf } from '../live/apply.ts';
import { backoff, delay, randomId } from '../runtime.ts';
import { type StandardSchema, show } from '../schema.ts';
import { invalid } from '../service.ts';
import { settle, settleDocument } from '../settle.ts';
import type { Send } from '../transport.ts';
import type { PatchOperation } from './patch-operation.ts';
import { recordOf, type Stored } from './stored.ts';

/** Changes its draft, or returns a new value. It runs again if a newer document exists. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only changes its draft returns nothing
export type Change<State> = (draft: State) => State | undefined | void | Promise<State | undefined | void>;

/** Options of `update`. */
export interface UpdateOptions<State> extends CallOptions {
  /** State of a document that does not exist yet; `{}` unless given. */
  readonly initial?: State;
  /** How often the change is repeated after other writers; 100 unless given. */
  readonly conflictsMax?: number;
}

/** Sends the requests of a document. */
export interface Internals<State> {
  /** @internal For other parts of the package. */
  readonly [internals]: Parts<State>;
}

/** What other parts of the package need of a document. */
export interface Parts<State> {
  readonly auth: Auth;
  /** Default timeout of a call. */
  readonly timeoutMs: number | undefined;
  /** The defaults. */
  readonly defaults?: State | undefined;
  /** The document of one user. */
  documentOf(owner: Owner): Document<State>;
  /** Calls the listener with each record that the service returns for a user's read or write. */
  onRecord(listener: (owner: Owner, record: Stored) => void): void;
  /** Makes a call for the user who is signed in now, within its limits. */
  call<Result>(options: CallOptions, work: (document: Document<State>, limits: Limits) => Promise<Result>): Promise<Result>;
}

/** Maps public objects to their internals, for other parts of the package. */
export const internals = Symbol();

/** The expectation of a write: a version, or no document. */
function preconditionOf(version: number | null): Record<string, string> {
  if (version === null) return { 'If-None-Match': '*' };
  if (Number.isSafeInteger(version)) return { 'If-Match': `"${version}"` };
  throw invalid(`ifVersion has to be the version that the write replaces, or null: it is ${version}`);
}

/** How long a run of changes may take before the page gets its turn. */
const pauseAfterMs = 10;

export interface DocumentOptions<State> {
  readonly send: Send;
  readonly path: string;
  readonly schema: StandardSchema<State> | undefined;
}

/** Receives a record that the service returned. */
export type RecordListener = (record: Stored) => void;

/** Options of a change, within the bounds of its call. */
type Bounded<State> = Limits & Pick<UpdateOptions<State>, 'initial' | 'conflictsMax'>;

/** One document of the service, for one user. Its newest record is kept, so that a change takes one request. */
export class Document<State> {
  readonly #options: DocumentOptions<State>;
  readonly owner: Owner;
  readonly #onRecord: RecordListener | undefined;
  /** The newest known record; undefined before the first, null if there is no state. */
  #known: Stored | null | undefined;
  /** The record that listeners received last. */
  #announced: Stored | undefined;
  /** Changes of one document run one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DocumentOptions<State>, owner: Owner, onRecord?: RecordListener) {
    this.#options = options;
    this.owner = owner;
    this.#onRecord = onRecord;
  }

  /** Sends a request about the document. Rejects if the response is a refusal. */
  async call(
    method: string,
    suffix: string,
    { signal, deadline }: Limits,
    more: { readonly body?: string; readonly headers?: Record<string, string> } = {},
  ) {
    const { send, path } = this.#options;
    const received = await send({ ...more, signal, deadline, owner: this.owner, method, path: path + suffix });
    if (received.status >= 400) throw errorOf(received);
    return received;
  }

  /** Returns the current record, or null. A known record is not transferred again. `isFresh`: excludes the cache. */
  async read(limits: Limits, { isFresh = false } = {}): Promise<Stored | null> {
    const known = this.#known;
    const headers: Record<string, string> = known ? { 'If-None-Match': `"${known.version}"` } : {};
    const received = await this.call('GET', '', limits, { headers });
    if (isFresh && received.isStale) throw new HoldfastError('network_error', 'the service cannot be reached');
    if (received.status === 304 && known) return { ...known, stale: false };
    return this.#keep(received.status === 204 ? null : recordOf(received));
  }

  /** Writes with an idempotency key: if the response is lost, the same request is sent again and counts once. */
  async write(
    method: string,
    version: number | null,
    body: string,
    limits: Limits,
    key: string = randomId(),
  ): Promise<Stored> {
    const headers = { ...preconditionOf(version), 'Idempotency-Key': key };
    const received = await this.call(method, '', limits, { headers, body }).catch((failure) => {
      // It was applied, and others have written since.
      if (isHoldfastError(failure) && failure.appliedVersion !== undefined) return undefined;
      throw failure;
    });
    const record = received === undefined ? await this.read(limits) : this.#keep(recordOf(received));
    if (record === null) throw new HoldfastError('version_conflict', 'it was removed again', { currentVersion: null });
    return record;
  }

  /** Replaces the whole document, keeping digits of numbers that the application read here. */
  async put(state: State, version: number | null, comment: string | undefined, limits: Limits): Promise<Stored> {
    const known = this.#knownAs(version);
    const document = await this.#fitting(settleDocument(state, { origin: { stored: known }, document: known }));
    return this.write('PUT', version, printExact({ state: document, comment }), limits);
  }

  /** Applies operations to a version. With a schema, that version must be known, to check the result. */
  async patch(
    given: readonly PatchOperation[],
    version: number | null,
    comment: string | undefined,
    limits: Limits,
  ): Promise<Stored> {
    const ops = settle(given, { document: this.#knownAs(version) });
    if (this.#options.schema !== undefined) {
      if (version !== null && this.#knownAs(version) === undefined) await this.read(limits);
      const result = resultOf(version === null ? {} : this.#knownAs(version), ops);
      if (result !== undefined) await this.#fitting(result);
    }
    return this.write('PATCH', version, printExact({ ops, comment }), limits);
  }

  /** The document of a version, if known. */
  #knownAs(version: number | null): JsonObject | undefined {
    return [this.#known, this.#announced].find((each) => each?.version === version)?.state;
  }

  /** The newest record from a read, a write or the stream; undefined if unknown, null if there was no document. */
  get #newest(): Stored | null | undefined {
    const [known, announced] = [this.#known, this.#announced];
    return announced !== undefined && announced.version > (known?.version ?? 0) ? announced : known;
  }

  /** Records a version that listeners have received, and may write again in part. */
  tell(version: number, state: JsonObject): void {
    this.#announced = { version, state };
  }

  /** Applies a change to the newest known state, and again if a newer one exists. Writes the smallest patch. */
  update(change: Change<State>, options: Bounded<State>, more: Readonly<Record<string, unknown>> = {}): Promise<Stored> {
    return this.replay(options, async (base) => {
      const { body } = await this.patchOf([change], base, options.initial, more);
      return body === undefined ? undefined : ['PATCH', body];
    });
  }

  /**
   * Returns the body of the smallest patch for a series of changes, up to the first that fails: `count` of them. `body` is undefined if
   * they change nothing. Rejects if the first one fails.
   */
  async patchOf(
    changes: readonly Change<State>[],
    base: Stored | null,
    initial?: State,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly body: string | undefined; readonly count: number }> {
    let record = base;
    let count = 0;
    let pausedAt = Date.now();
    for (const change of changes) {
      try {
        const state = await this.#changed(change, record, initial);
        record = { version: 0, ...base, state };
      } catch (failure) {
        if (count === 0) throw failure;
        break;
      }
      count++;
      if (Date.now() - pausedAt < pauseAfterMs) continue;
      await delay(0);
      pausedAt = Date.now();
    }
    if (record === null) return { body: undefined, count };
    const ops = base === null ? createOps(record.state) : diff(base.state, record.state);
    return { body: ops.length > 0 ? printExact({ ...more, ops }) : undefined, count };
  }

  /**
   * Writes what `make` returns for the newest known record. The record is read again if somebody else was faster, and if `make` fails or
   * finds nothing to write, since the record may be old. Returns the current record if there is nothing to write. Changes of one document
   * run in sequence.
   */
  replay(
    options: Bounded<State>,
    make: (base: Stored | null) => Promise<readonly [method: string, body: string] | undefined>,
  ): Promise<Stored> {
    const mine = this.#last.then(async () => {
      let conflicts = 0;
      const known = this.#newest;
      let isRead = known === undefined;
      for (let base = known ?? null; ; isRead = true) {
        if (isRead) base = await this.read(options);
        if (options.signal.aborted) throw options.signal.reason;
        const made = await make(base).catch((failure) => {
          if (isRead) throw failure;
        });
        if (made === undefined) {
          if (isRead) return base as Stored;
          continue;
        }
        try {
          return await this.write(made[0], base?.version ?? null, made[1], options);
        } catch (failure) {
          if (!isHoldfastError(failure, 'version_conflict') || conflicts >= (options.conflictsMax ?? 100)) throw failure;
        }
        // The first conflict only shows that the known record was old.
        if (conflicts > 0) await delay(backoff(conflicts, 5, 1_000), options.signal);
        conflicts++;
      }
    });
    // A cancelled change does not delay the next.
    this.#last = orAborted(mine, options.signal).catch(() => {});
    return mine;
  }

  async #changed(change: Change<State>, base: Stored | null, initial: State | undefined): Promise<JsonObject> {
    const stored = base?.state ?? settleDocument(initial ?? {});
    const draft = await draftOf(stored, this.#options.schema, base === null);
    const returned = await change(draft.value as State);
    return draft.settle(returned === undefined ? draft.value : returned);
  }

  /** Returns the document if it fits the schema. An unfit one is never written. */
  async #fitting(document: JsonObject): Promise<JsonObject> {
    await this.#shown(document);
    return document;
  }

  async #shown(document: JsonObject): Promise<State> {
    return show(this.#options.schema, document, plainOf(document));
  }

  #keep(record: Stored | null): Stored | null {
    const known = this.#known;
    if (record === null || !known || known.version <= record.version) this.#known = record;
    // A cached record is not from the service.
    if (record !== null && record.stale !== true) this.#onRecord?.(record);
    return record;
  }

  /** The record in its public form. */
  async shown<Record extends { readonly state: State }>(record: Stored): Promise<Record> {
    const state = await this.#shown(record.state);
    return { stale: false, ...record, state } as unknown as Record;
  }
}

/** The operations that create a document. */
function createOps(document: JsonObject): readonly unknown[] {
  const ops = diff({}, document);
  return ops.length > 0 ? ops : [{ op: 'add', path: '', value: document }];
}
