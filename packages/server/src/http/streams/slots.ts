/** Limits open streams: on this node, and for one credential. If there are too many, the holders with most yield to the others. */
import { Refusal } from '../../common/refusal.ts';

export interface SlotsOptions {
  /** Streams on this node. */
  readonly streamsMax: number;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/** Streams of one developer, player or secret API key, and of one client address that holds a publishable key. */
const credentialStreamsMax = 1_000;
const holderStreamsMax = 50;

/** Refused clients come back spread over this time. */
const retrySeconds = { min: 5, max: 30 };

/** The part of the slots that is kept for the accounts' own credentials: at least one, unless there is only one. */
const reservedShare = 1 / 20;

/** The holder of a stream. */
export interface Holder {
  readonly account: string;
  /** The credential, with the client address if the credential is public. */
  readonly subject: string;
  readonly isSharedCredential: boolean;
  /** The network of a publishable key or a player; undefined for secret keys and developers, which are the account's own. */
  readonly network: string | undefined;
}

/** A stream that can be ended to make room. */
export interface Occupant {
  readonly holder: Holder;
  /** Ends it, since others with fewer streams need the slot. */
  evict(): void;
}

export class Slots<Stream extends Occupant> {
  readonly #options: SlotsOptions;
  /** Slots that strangers may take. */
  readonly #forStrangers: number;
  readonly #all = new Group<Stream>(undefined);
  readonly #groups = new Map<string, Group<Stream>>();
  /** Streams of each account, oldest first. */
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
        `${holderHas} ${most} change streams open, as many as it may; close some, or come back later`,
      );
    }
    if (this.size < (network === undefined ? this.#options.streamsMax : this.#forStrangers)) return;
    const evicted = this.#pickEvicted(path, network !== undefined);
    if (evicted === undefined) {
      throw this.#refusal('service_unavailable', 'this node has as many change streams as it may; come back later');
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

  /** The streams of an account. */
  ofAccount(account: string): Iterable<Stream> {
    return this.#byAccount.get(account) ?? [];
  }

  *all(): Generator<Stream, void, undefined> {
    for (const streams of this.#byAccount.values()) yield* streams;
  }

  /**
   * The stream that is closed for a new one; undefined if there is none. First the accounts are compared, then the own streams of the
   * newcomer's account and those of strangers, then the networks of its strangers, then the holders of its network. The one with the most
   * yields, if it then still has as many as the newcomer's side, so two never take slots from each other in turn. An account's own
   * streams never yield to its strangers.
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

/** The position in the names of `pathOf` that separates the account's own credentials from strangers. */
const sideLevel = 1;

/** The names of the groups of a holder: account, own or strangers, network, holder. Only the last name can have any character. */
function pathOf({ account, network, subject }: Holder): readonly string[] {
  const side = `${account} ${network === undefined ? 'own' : 'strangers'}`;
  const near = `${side} ${network ?? ''}`;
  return [account, side, near, `${near} ${subject}`];
}

type Part<Stream extends object> = Group<Stream> | Stream;

/** Streams in groups within groups. Each group knows its part with most streams, so the stream that yields is found immediately. */
class Group<Stream extends object> {
  /** The group that it is a part of. */
  readonly whole: Group<Stream> | undefined;
  /** Streams in it. */
  size = 0;
  /** Streams of its largest part. */
  #most = 0;
  /** Its part, while it is the only one: most groups have just one, and need no index. */
  #only: Part<Stream> | undefined;
  /** Its parts by size. Among equals, those that have had that size longest come first. */
  #bySize: Map<number, Set<Part<Stream>>> | undefined;

  constructor(whole: Group<Stream> | undefined) {
    this.whole = whole;
  }

  /** One of the parts with most streams, undefined in an empty group. */
  get largest(): Part<Stream> | undefined {
    if (this.#bySize === undefined) return this.#only;
    const [first] = this.#bySize.get(this.#most) ?? [];
    return first;
  }

  /** The stream that yields when the group must: the oldest of the largest of its parts, and so on down. */
  get evictable(): Stream | undefined {
    const { largest } = this;
    return largest instanceof Group ? largest.evictable : largest;
  }

  /** Adds a stream to the group and to all groups around it. */
  add(stream: Stream): void {
    this.#move(stream, 0, 1);
    this.#grow(1);
  }

  /** Removes a stream. */
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

  /** Moves a part whose size has grown or shrunk by one. */
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
    // The part that was largest is now one smaller, and no other was larger.
    if (to > this.#most || !this.#bySize.has(this.#most)) this.#most = to;
    if (this.#bySize.size === 0) this.#bySize = undefined;
  }
}
