/** Limits open streams per node and per credential. Above the node's limit, the holders with the most streams make room for others. */
import { Refusal } from '../../common/requests/refusal.ts';

export interface SlotsOptions {
  /** Streams on this node. */
  readonly streamsMax: number;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/** Streams of one developer, player or secret API key, or of one client address with a publishable key. */
const credentialStreamsMax = 1_000;
const holderStreamsMax = 50;

/** The delay for refused clients, which spreads their return. */
const retrySeconds = { min: 5, max: 30 };

/** The part of the slots reserved for accounts' own credentials: at least one slot, unless there is only one in total. */
const reservedShare = 1 / 20;

/** The holder of a stream. */
export interface Holder {
  readonly account: string;
  /** The credential, plus the client address if the credential is public. */
  readonly subject: string;
  readonly isSharedCredential: boolean;
  /** The network of a publishable key or player; undefined for secret keys and developers, which belong to the account itself. */
  readonly network: string | undefined;
}

/** A stream that can be ended to make room. */
export interface Occupant {
  readonly holder: Holder;
  /** Ends this stream because holders with fewer streams need the slot. */
  evict(): void;
}

export class Slots<Stream extends Occupant> {
  readonly #options: SlotsOptions;
  /** Slots that strangers may take. */
  readonly #forStrangers: number;
  readonly #all = new Group<Stream>(undefined);
  readonly #groups = new Map<string, Group<Stream>>();
  /** Each account's streams, oldest first. */
  readonly #byAccount = new Map<string, Set<Stream>>();

  constructor(options: SlotsOptions) {
    this.#options = options;
    const { streamsMax } = options;
    this.#forStrangers = streamsMax < 2 ? streamsMax : streamsMax - Math.max(1, Math.floor(streamsMax * reservedShare));
  }

  get size(): number {
    return this.#all.size;
  }

  /** Refuses `rate_limited` or `service_unavailable` if no slot is free. */
  check(holder: Holder): void {
    const { isSharedCredential, network } = holder;
    const path = pathOf(holder);
    const most = isSharedCredential ? holderStreamsMax : credentialStreamsMax;
    if ((this.#groups.get(path.at(-1) as string)?.size ?? 0) >= most) {
      const holderHas = isSharedCredential ? 'this address has' : 'this credential has';
      throw this.#refusal(
        'rate_limited',
        `${holderHas} ${most} change streams open, the most allowed; close some, or come back later`,
      );
    }
    if (this.size < (network === undefined ? this.#options.streamsMax : this.#forStrangers)) return;
    const evicted = this.#pickEvicted(path, network !== undefined);
    if (evicted === undefined) {
      throw this.#refusal('service_unavailable', 'this node has as many change streams as it can serve; come back later');
    }
    evicted.evict();
    this.delete(evicted);
  }

  add(stream: Stream): void {
    const { account } = stream.holder;
    const same = this.#byAccount.get(account);
    if (same === undefined) this.#byAccount.set(account, new Set([stream]));
    else same.add(stream);
    let group = this.#all;
    for (const name of pathOf(stream.holder)) {
      const part = this.#groups.get(name) ?? new Group(group);
      this.#groups.set(name, part);
      group = part;
    }
    group.add(stream);
  }

  delete(stream: Stream): void {
    const { account } = stream.holder;
    const same = this.#byAccount.get(account);
    if (!same?.delete(stream)) return;
    if (same.size === 0) this.#byAccount.delete(account);
    const path = pathOf(stream.holder);
    this.#groups.get(path.at(-1) as string)?.delete(stream);
    for (const name of path) if (this.#groups.get(name)?.size === 0) this.#groups.delete(name);
  }

  /** An account's streams. */
  ofAccount(account: string): Iterable<Stream> {
    return this.#byAccount.get(account) ?? [];
  }

  *all(): Generator<Stream, void, undefined> {
    for (const streams of this.#byAccount.values()) yield* streams;
  }

  /**
   * The stream to close for a new one; undefined if there is none. Compares accounts first, then the newcomer's account's own streams with
   * its strangers' streams, then the networks of its strangers, then the holders in the newcomer's network. The group with the most streams
   * gives up one if it then still has at least as many as the newcomer's group, so two groups never take slots from each other in turn. An
   * account's own streams are never closed for its strangers.
   */
  #pickEvicted(path: readonly string[], isStranger: boolean): Stream | undefined {
    let whole = this.#all;
    for (const [level, name] of path.entries()) {
      const { largest } = whole;
      const newcomers = this.#groups.get(name);
      const mayTake = !(level === sideLevel && isStranger);
      if (mayTake && largest instanceof Group && largest.size >= (newcomers?.size ?? 0) + 2) return largest.evictable;
      if (newcomers === undefined) return undefined;
      whole = newcomers;
    }
    return undefined;
  }

  #refusal(code: 'rate_limited' | 'service_unavailable', message: string): Refusal {
    const { min, max } = retrySeconds;
    const retryAfterSeconds = min + Math.floor(this.#options.random() * (max - min + 1));
    return new Refusal(code, message, { retryAfterSeconds });
  }
}

/** The index in the names of `pathOf` that separates the account's own credentials from strangers. */
const sideLevel = 1;

/** The names of a holder's groups: account, own or strangers, network, holder. Only the last name may contain arbitrary characters. */
function pathOf({ account, network, subject }: Holder): readonly string[] {
  const side = `${account} ${network === undefined ? 'own' : 'strangers'}`;
  const near = `${side} ${network ?? ''}`;
  return [account, side, near, `${near} ${subject}`];
}

type Part<Stream extends object> = Group<Stream> | Stream;

/** Streams in nested groups. Each group knows its largest part, so the stream to evict is found immediately. */
class Group<Stream extends object> {
  /** The group that this one is a part of. */
  readonly whole: Group<Stream> | undefined;
  /** The number of streams in the group. */
  size = 0;
  /** The number of streams in its largest part. */
  #most = 0;
  /** Its only part, if it has just one, as most groups do: they need no index. */
  #only: Part<Stream> | undefined;
  /** Its parts by size. Parts of equal size are ordered by when they reached it, earliest first. */
  #bySize: Map<number, Set<Part<Stream>>> | undefined;

  constructor(whole: Group<Stream> | undefined) {
    this.whole = whole;
  }

  /** One of the parts with the most streams; undefined in an empty group. */
  get largest(): Part<Stream> | undefined {
    if (this.#bySize === undefined) return this.#only;
    const [first] = this.#bySize.get(this.#most) ?? [];
    return first;
  }

  /** The stream that the group gives up: the oldest stream of its largest part, applied recursively. */
  get evictable(): Stream | undefined {
    const { largest } = this;
    return largest instanceof Group ? largest.evictable : largest;
  }

  /** Adds a stream to the group and to all groups that contain it. */
  add(stream: Stream): void {
    this.#move(stream, 0, 1);
    this.#grow(1);
  }

  /** Removes a stream from the group and from all groups that contain it. */
  delete(stream: Stream): void {
    this.#move(stream, 1, 0);
    this.#grow(-1);
  }

  #grow(by: 1 | -1): void {
    this.size += by;
    const { whole } = this;
    if (whole === undefined) return;
    whole.#move(this, this.size - by, this.size);
    whole.#grow(by);
  }

  /** Moves a part whose size has changed by one. */
  #move(part: Part<Stream>, from: number, to: number): void {
    if (this.#bySize === undefined) {
      if (this.#only === undefined || this.#only === part) {
        this.#only = to > 0 ? part : undefined;
        this.#most = to;
        return;
      }
      this.#bySize = new Map([[this.#most, new Set([this.#only])]]);
      this.#only = undefined;
    }
    const before = this.#bySize.get(from);
    if (before?.delete(part) && before.size === 0) this.#bySize.delete(from);
    if (to > 0) {
      const after = this.#bySize.get(to);
      if (after === undefined) this.#bySize.set(to, new Set([part]));
      else after.add(part);
    }
    // The largest part has shrunk by one, and no other part was larger.
    if (to > this.#most || !this.#bySize.has(this.#most)) this.#most = to;
    if (this.#bySize.size === 0) this.#bySize = undefined;
  }
}

/** Each stream holds a connection; this leaves some for other requests. */
const shareOfConnections = 3 / 4;

/** Returns the maximum number of streams: as many as wanted, or fewer if the connections leave no room for them. */
export const streamsWithin = (connectionsMax: number, wanted: number): number =>
  Math.min(wanted, Math.floor(connectionsMax * shareOfConnections));
