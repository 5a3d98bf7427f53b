/**
 * Limits on requests per minute over all processes of the store: for each subject of an accepted credential, for each client address that
 * holds a publishable key, for each token family that gets tokens, and for each client address where no credential was accepted.
 *
 * @see docs/contract.md §10.1
 */
import type { BlockList } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal.ts';
import type { Owner } from '../common/fair-queue.ts';
import { Refusal } from '../common/refusal.ts';
import type { RateWindowStore } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { clientName, networkName } from './client-address.ts';
import { SharedWindow, type WindowSource, windowsOf } from './shared-window.ts';

const windowSeconds = 60;
/** Names that are counted at once, about 250 bytes each. Beyond this, the names used longest ago are forgotten. */
const namesMax = 100_000;
/** A name of this many characters counts as two, and so on: a user id may have 512. */
const nameCharacters = 128;
const sizeOf = (_: unknown, name: string) => 1 + Math.floor(name.length / nameCharacters);
/** A process takes this part of a limit at a time: little enough to leave unused, and few requests ask the store. */
const allotmentsOfLimit = 50;

/** What is left of a limit after a request was counted. */
export interface Allowance {
  readonly limit: number;
  /** Requests that may follow in this window, as far as this process knows. Below 0, the request was one too many. */
  readonly remaining: number;
  /** Seconds until the window ends and the whole limit is available again. */
  readonly resetSeconds: number;
}

/** Receives what is left. What it throws, the call that counted throws. */
export type OnCounted = (allowance: Allowance) => void;

export interface RateLimitOptions {
  readonly store: Pick<RateWindowStore, 'takeFromWindow'>;
  /** Keeps the names of this limit apart from those of other limits. */
  readonly name: string;
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A fixed window for each name: it begins with a request and lasts a minute. */
export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #source: WindowSource;
  // Bounded by size: with `max`, the cache would allocate room for all names at once, about 3 MB.
  readonly #windows = new LRUCache<string, SharedWindow>({ maxSize: namesMax, sizeCalculation: sizeOf });

  constructor({ store, name, requestsPerMinute, now }: RateLimitOptions) {
    this.#limit = requestsPerMinute;
    this.#now = now;
    const limit = { name, countMax: requestsPerMinute, windowSeconds };
    this.#source = windowsOf(store, limit, Math.ceil(requestsPerMinute / allotmentsOfLimit));
  }

  /**
   * Counts one request, and calls `counted` with what is left; at once, unless a remote store has to be asked for an allotment. Requests
   * beyond the limit are not counted, so they do not make the wait longer. Rejects with `StoreUnavailable` when no allotment can be had.
   */
  take(name: string, counted: OnCounted): Awaitable<void> {
    const now = this.#now();
    const window = this.#window(name);
    const taken = window.take(now);
    if (typeof taken !== 'boolean') return this.#takeLater(window, now, taken, counted);
    counted(this.#allowance(window, now, taken));
  }

  /** What is left, without counting a request or asking the store; undefined when nothing was counted yet. */
  peek(name: string): Allowance | undefined {
    if (this.#windows.size === 0) return undefined;
    const now = this.#now();
    const window = this.#windows.get(name);
    return window === undefined || window.hasEnded(now) ? undefined : this.#allowance(window, now, true);
  }

  async #takeLater(window: SharedWindow, now: number, taken: Promise<boolean>, counted: OnCounted): Promise<void> {
    counted(this.#allowance(window, now, await taken));
  }

  #allowance(window: SharedWindow, now: number, isTaken: boolean): Allowance {
    // The clock of the process that began the window may be ahead of this one.
    const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return { limit: this.#limit, remaining: isTaken ? window.remaining : -1, resetSeconds };
  }

  #window(name: string): SharedWindow {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const window = new SharedWindow(this.#source, name);
    this.#windows.set(name, window);
    return window;
  }
}

/** Throws `rate_limited` when the request that was counted is one too many. */
export function refuseBeyond(allowance: Allowance | undefined): void {
  if (allowance === undefined || allowance.remaining >= 0) return;
  const { limit, resetSeconds } = allowance;
  throw new Refusal('rate_limited', `more than ${limit} requests within a minute; wait ${resetSeconds} s`, {
    retryAfterSeconds: resetSeconds,
  });
}

const refusing =
  (counted: OnCounted): OnCounted =>
  (allowance) => {
    counted(allowance);
    refuseBeyond(allowance);
  };
/** Throws `rate_limited` when one more request would be too many. */
function checkNext(left: Allowance | undefined): void {
  if (left !== undefined) refuseBeyond({ ...left, remaining: left.remaining - 1 });
}

/**
 * The headers that describe a limit, for every response that it counted.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): readonly string[] {
  return [
    'RateLimit-Policy',
    `"minute";q=${limit};w=${windowSeconds}`,
    'RateLimit',
    `"minute";r=${Math.max(remaining, 0)};t=${resetSeconds}`,
  ];
}

/** Where a request comes from, as its connection and its headers say. */
export interface Origin {
  readonly peerAddress: string;
  readonly forwardedFor: string | undefined;
}

export interface LimitOptions {
  readonly store: Pick<RateWindowStore, 'takeFromWindow'>;
  /** Requests of one subject per minute, with whatever credentials; 0 switches the limit off. */
  readonly subjectPerMinute: number;
  /** Anonymous requests and failed credentials of one client address per minute; 0 switches the limit off. */
  readonly addressPerMinute: number;
  readonly trustedProxies: BlockList | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Counting refuses nothing by itself, but for an address and for what is counted late. It calls `counted` with what is left, unless there is no limit. It rejects with
 * `StoreUnavailable` when the store cannot say what is left. No request is let in then, also none without a credential.
 */
export interface Limits {
  /** Counts a request of an accepted credential for its subject: the end user, the developer or the API key. */
  countSubject(principal: Principal, counted: OnCounted): Awaitable<void>;
  /** Counts a request for a token of a service account, whose id is the subject, together with the requests that it makes with tokens. */
  countServiceAccount(of: { readonly accountId: string; readonly subject: string }, counted: OnCounted): Awaitable<void>;
  /**
   * Counts a request for what its credential belongs to and the address together: of a publishable API key for the key, of a guest for the
   * project. A guest's also counts for the network of the address.
   */
  countHolder(principal: Principal, origin: Origin, counted: OnCounted): Awaitable<void>;
  /** Counts an anonymous request, or one whose credential was rejected. Refuses `rate_limited`. */
  countAddress(origin: Origin, counted: OnCounted): Awaitable<void>;
  /**
   * Returns what counts a request that says only in its body for what it is counted. Throws `rate_limited` when its address has used its
   * limit up.
   */
  countLater(origin: Origin, counted: OnCounted): LateCount;
  /** The name under which an address is counted. */
  nameOf(origin: Origin): string;
  /** The name of the network that an address belongs to, as far as one subscriber may hold it. */
  networkOf(origin: Origin): string;
  /** Whose share of a budget a request counts against; requests without a credential have one share together. */
  ownerOf(principal: Principal | undefined, origin: Origin): Owner;
  /** Throws `rate_limited` when an address may not present another unknown credential. */
  checkAddress(origin: Origin): void;
}

/** Counts a request late. For a service account and an address it rejects with `rate_limited` when the request is one too many. */
export interface LateCount {
  /** For a service account, whose id is the subject. */
  readonly serviceAccount: (of: { readonly accountId: string; readonly subject: string }) => Promise<void>;
  /** For the address that the request comes from. */
  readonly address: () => Promise<void>;
  /** Throws `rate_limited` when a token family has used its limit up. */
  readonly checkFamily: (familyId: string) => void;
  /** For a token family that has got tokens. Refuses nothing. */
  readonly family: (familyId: string) => Promise<void>;
}

/** Returns limits that hold for all processes of the store together. */
export function createLimits(options: LimitOptions): Limits {
  const { store, subjectPerMinute, addressPerMinute, trustedProxies, now } = options;
  const limitOf = (name: string, requestsPerMinute: number) =>
    requestsPerMinute > 0 ? new RateLimit({ store, name, requestsPerMinute, now }) : undefined;
  const subjects = limitOf('requests-of-subject', subjectPerMinute);
  // A limit of its own: somebody who uses such a key from many addresses must not push the counts of others out of memory.
  const holders = limitOf('requests-of-holder', subjectPerMinute);
  const networks = limitOf('requests-of-network', subjectPerMinute * networkFactor);
  const addresses = limitOf('requests-of-address', addressPerMinute);
  const families = limitOf('requests-of-family', subjectPerMinute);
  const nameOf = ({ peerAddress, forwardedFor }: Origin) => clientName(peerAddress, forwardedFor, trustedProxies);
  const limits: Limits = {
    nameOf,
    networkOf: (origin) => networkName(nameOf(origin)),
    countSubject: (principal, counted) => subjects?.take(subjectName(principal), counted),
    countServiceAccount: (of, counted) => subjects?.take(developerName(of), counted),
    countHolder(principal, origin, counted) {
      if (holders === undefined) return undefined;
      const address = nameOf(origin);
      const network = networkName(address);
      const name = holderName(principal, address);
      if (network === address || !isGuest(principal)) return holders.take(name, counted);
      return countBoth(holders, name, networks as RateLimit, holderName(principal, network), counted);
    },
    countAddress: (origin, counted) => addresses?.take(nameOf(origin), refusing(counted)),
    countLater(origin, counted) {
      limits.checkAddress(origin);
      return {
        serviceAccount: async (of) => limits.countServiceAccount(of, refusing(counted)),
        address: async () => limits.countAddress(origin, counted),
        checkFamily: (familyId) => checkNext(families?.peek(familyId)),
        family: async (familyId) => families?.take(familyId, counted),
      };
    },
    ownerOf: (principal, origin) =>
      principal === undefined
        ? { account: '', subject: nameOf(origin) }
        : {
            account: principal.accountId,
            subject: isHeldByMany(principal) ? holderName(principal, nameOf(origin)) : subjectName(principal),
          },
    checkAddress: (origin) => checkNext(addresses?.peek(nameOf(origin))),
  };
  return limits;
}

/** A network may send as many requests of guests as so many of its addresses. */
export const networkFactor = 4;

/** Counts a request for an address and then for its network. `counted` gets the limit of which less is left. */
async function countBoth(
  addresses: RateLimit,
  address: string,
  networks: RateLimit,
  network: string,
  counted: OnCounted,
): Promise<void> {
  const found: Allowance[] = [];
  const note = (allowance: Allowance): void => {
    found.push(allowance);
  };
  await addresses.take(address, note);
  if (found.every(({ remaining }) => remaining >= 0)) await networks.take(network, note);
  const least = found.sort((one, other) => one.remaining - other.remaining)[0];
  if (least !== undefined) counted(least);
}

/** Whether anybody can have such a credential: it is public, or that of a guest. Its users are counted by their addresses. */
export const isHeldByMany = (principal: Principal): boolean =>
  isGuest(principal) || (principal.kind === 'api_key' && principal.keyKind === 'publishable');

const isGuest = (principal: Principal): boolean => principal.kind === 'end_user' && principal.isGuest;

/** Whether somebody else than the account itself sends the request: an end user, or whoever has found a publishable key. */
export const isStranger = (principal: Principal): boolean => principal.kind === 'end_user' || isHeldByMany(principal);

/** The same principal comes again and again as the same object. Finding its name here is faster than joining and hashing it. */
const subjectNames = new WeakMap<Principal, string>();

/** Returns the name of a subject. All of its credentials share it, so a refreshed token brings no new allowance. */
function subjectName(principal: Principal): string {
  let name = subjectNames.get(principal);
  if (name === undefined) {
    name = joinedName(principal);
    subjectNames.set(principal, name);
  }
  return name;
}

const holderName = (principal: Principal, address: string): string =>
  principal.kind === 'end_user'
    ? `guests ${principal.accountId} ${principal.slug} ${address}`
    : `${subjectName(principal)} ${address}`;

const developerName = ({ accountId, subject }: { readonly accountId: string; readonly subject: string }): string =>
  `developer ${accountId} ${subject}`;

/** A user id can have any character, so it comes last. */
function joinedName(principal: Principal): string {
  switch (principal.kind) {
    case 'developer':
      return developerName(principal);
    case 'end_user':
      return `end_user ${principal.accountId} ${principal.slug} ${principal.environment} ${principal.userId}`;
    case 'api_key':
      return `api_key ${principal.keyId}`;
  }
}
