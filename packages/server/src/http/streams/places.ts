/** How many streams there may be: on this node, and for one credential. When there are too many, accounts share the places. */
import { Refusal } from '../../common/refusal.ts';

export interface PlacesOptions {
  /** Streams on this node. */
  readonly streamsMax: number;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/** Streams of one developer, end user or secret API key, and of one client address that holds a publishable key. */
const credentialStreamsMax = 1_000;
const holderStreamsMax = 50;

/** Clients that were refused come back spread over this time. */
const retrySeconds = { min: 5, max: 30 };

/** Whose stream it is. */
export interface Holder {
  readonly account: string;
  /** The credential, with the client address if the credential is public. */
  readonly subject: string;
  readonly isHeldByMany: boolean;
}

/** A stream that can be ended to make room. */
export interface Placed {
  readonly holder: Holder;
  /** Ends it, since an account with fewer streams needs the place. */
  makeRoom(): void;
}

export class Places<Stream extends Placed> {
  readonly #options: PlacesOptions;
  /** Streams of each account, oldest first. */
  readonly #byAccount = new Map<string, Set<Stream>>();
  readonly #bySubject = new Map<string, number>();
  #size = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  /** Refuses `rate_limited` or `service_unavailable` when there is no place for another stream. */
  check({ account, subject, isHeldByMany }: Holder): void {
    const most = isHeldByMany ? holderStreamsMax : credentialStreamsMax;
    if ((this.#bySubject.get(subject) ?? 0) >= most) {
      const whose = isHeldByMany ? 'this address has' : 'this credential has';
      throw this.#refusal(
        'rate_limited',
        `${whose} ${most} change streams open, as many as it may; close some, or come back later`,
      );
    }
    if (this.#size < this.#options.streamsMax) return;
    if (!this.#yieldTo(this.#byAccount.get(account)?.size ?? 0)) {
      throw this.#refusal('service_unavailable', 'this node has as many change streams as it may; come back later');
    }
  }

  add(stream: Stream): void {
    const { account, subject } = stream.holder;
    const same = this.#byAccount.get(account);
    if (same === undefined) this.#byAccount.set(account, new Set([stream]));
    else same.add(stream);
    this.#bySubject.set(subject, (this.#bySubject.get(subject) ?? 0) + 1);
    this.#size++;
  }

  delete(stream: Stream): void {
    const { account, subject } = stream.holder;
    const same = this.#byAccount.get(account);
    if (!same?.delete(stream)) return;
    if (same.size === 0) this.#byAccount.delete(account);
    const left = (this.#bySubject.get(subject) ?? 0) - 1;
    if (left > 0) this.#bySubject.set(subject, left);
    else this.#bySubject.delete(subject);
    this.#size--;
  }

  /** The streams of an account. */
  ofAccount(account: string): Iterable<Stream> {
    return this.#byAccount.get(account) ?? [];
  }

  *all(): Generator<Stream, void, undefined> {
    for (const streams of this.#byAccount.values()) yield* streams;
  }

  /** Ends the oldest stream of the account with the most, unless the newcomer would then have more. */
  #yieldTo(newcomerStreams: number): boolean {
    let most: Set<Stream> | undefined;
    for (const streams of this.#byAccount.values()) if (streams.size > (most?.size ?? 0)) most = streams;
    const [oldest] = most ?? [];
    if (most === undefined || oldest === undefined || most.size <= newcomerStreams + 1) return false;
    oldest.makeRoom();
    this.delete(oldest);
    return true;
  }

  #refusal(code: 'rate_limited' | 'service_unavailable', message: string): Refusal {
    const { min, max } = retrySeconds;
    const retryAfterSeconds = min + Math.floor(this.#options.random() * (max - min + 1));
    return new Refusal(code, message, { retryAfterSeconds });
  }
}
