/**
 * Limits on requests per minute over all processes of the store: for each subject of an accepted credential, for each client address with a
 * publishable key, for each token family that gets tokens, and for each client address without an accepted credential.
 *
 * @see docs/contract.md §10.1
 */
import type { BlockList } from 'node:net';
import type { Principal } from '../access/principal.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import type { Owner } from '../common/threads/fair-queue.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { clientName, networkName } from './client-address.ts';
import type { DeferredCount } from './deferred-count.ts';
import { type Allowance, type OnCounted, ownNamesMax, RateLimit, refuseBeyond } from './rate-limit.ts';

const refusing =
  (counted: OnCounted): OnCounted =>
  (allowance) => {
    counted(allowance);
    refuseBeyond(allowance);
  };

/** Throws `rate_limited` if one more request would be too many. */
function checkNext(left: Allowance | undefined): void {
  if (left !== undefined) refuseBeyond({ ...left, remaining: left.remaining - 1 });
}

/** The origin of a request, from its connection and headers. */
export interface Origin {
  readonly peerAddress: string;
  readonly forwardedFor: string | undefined;
}

export interface LimitOptions {
  readonly store: WindowVerbs;
  /** Requests of one subject per minute, with any credentials; 0 switches the limit off. */
  readonly subjectPerMinute: number;
  /** Anonymous requests and failed credentials of one client address per minute; 0 switches the limit off. */
  readonly addressPerMinute: number;
  readonly trustedProxies: BlockList | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Counting itself does not refuse requests, except for an address and for late counts. It calls `counted` with the remainder, unless there
 * is no limit. It rejects with `StoreUnavailable` if the store cannot be read; then no request is admitted, even without a credential.
 */
export interface Limits {
  /**
   * Counts a request with an accepted credential for its subject: the player, the developer or the API key, which may have its own limit.
   */
  countSubject(principal: Principal, counted: OnCounted): Awaitable<void>;
  /** Counts a request for a token of a service account, whose id is the subject, together with its requests that use tokens. */
  countServiceAccount(of: { readonly accountId: string; readonly subject: string }, counted: OnCounted): Awaitable<void>;
  /**
   * Counts a request for its address together with the owner of its credential: the key for a publishable API key, the project for a
   * guest. A guest's request also counts for the network of the address; that of a key with its own limit, for the key as a whole.
   */
  countHolder(principal: Principal, origin: Origin, counted: OnCounted): Awaitable<void>;
  /** Counts an anonymous request, or one whose credential was rejected. Refuses `rate_limited`. */
  countAddress(origin: Origin, counted: OnCounted): Awaitable<void>;
  /**
   * Returns the functions that count a request whose subject is in its body. Throws `rate_limited` if its address has used up its
   * limit.
   */
  countLater(origin: Origin, counted: OnCounted): DeferredCount;
  /** The name under which an address is counted. */
  nameOf(origin: Origin): string;
  /** The name of an address's network, as large as one subscriber may hold. */
  networkOf(origin: Origin): string;
  /** The budget share that a request counts against; all requests without a credential have one share. */
  ownerOf(principal: Principal | undefined, origin: Origin): Owner;
  /** Throws `rate_limited` if an address may not present another unknown credential. */
  checkAddress(origin: Origin): void;
}

/** Returns limits that hold for all processes of the store together. */
export function createLimits(options: LimitOptions): Limits {
  const { store, subjectPerMinute, addressPerMinute, trustedProxies, now } = options;
  const limitOf = (name: string, requestsPerMinute: number) => {
    if (requestsPerMinute === 0) return undefined;
    const limit = new RateLimit({ store, name, now });
    return {
      take: (of: string, counted: OnCounted) => limit.take(of, requestsPerMinute, counted),
      peek: (of: string) => limit.peek(of),
    };
  };
  const subjects = limitOf('requests-of-subject', subjectPerMinute);
  // A separate limit: using such a key from many addresses must not push the counts of others out of memory.
  const holders = limitOf('requests-of-holder', subjectPerMinute);
  const networks = limitOf('requests-of-network', subjectPerMinute * networkFactor);
  const addresses = limitOf('requests-of-address', addressPerMinute);
  const families = limitOf('requests-of-family', subjectPerMinute);
  const keys = new RateLimit({ store, name: 'requests-of-key', namesMax: ownNamesMax, now });
  const nameOf = ({ peerAddress, forwardedFor }: Origin) => clientName(peerAddress, forwardedFor, trustedProxies);
  const limits: Limits = {
    nameOf,
    networkOf: (origin) => networkName(nameOf(origin)),
    countSubject(principal, counted) {
      const own = ownLimitOf(principal);
      if (own === null) return subjects?.take(subjectName(principal), counted);
      return own === 0 ? undefined : keys.take(subjectName(principal), own, counted);
    },
    countServiceAccount: (of, counted) => subjects?.take(developerName(of), counted),
    countHolder(principal, origin, counted) {
      const address = nameOf(origin);
      const own = ownLimitOf(principal) ?? 0;
      const ofAddress: Take = (note) => holders?.take(holderName(principal, address), note);
      if (own > 0) return countAll([ofAddress, (note) => keys.take(subjectName(principal), own, note)], counted);
      const network = networkName(address);
      if (network === address || !isGuest(principal)) return ofAddress(counted);
      return countAll([ofAddress, (note) => networks?.take(holderName(principal, network), note)], counted);
    },
    countAddress: (origin, counted) => addresses?.take(nameOf(origin), refusing(counted)),
    countLater(origin, counted) {
      limits.checkAddress(origin);
      return {
        serviceAccount: async (of) => limits.countServiceAccount(of, refusing(counted)),
        address: async () => limits.countAddress(origin, counted),
        checkFamily: (familyId) => checkNext(families?.peek(familyId)),
        family: (familyId) => families?.take(familyId, counted),
      };
    },
    ownerOf: (principal, origin) =>
      principal === undefined
        ? { account: '', subject: nameOf(origin) }
        : {
            account: principal.accountId,
            subject: isSharedCredential(principal) ? holderName(principal, nameOf(origin)) : subjectName(principal),
          },
    checkAddress: (origin) => checkNext(addresses?.peek(nameOf(origin))),
  };
  return limits;
}

/** A network may send as many guest requests as this many of its addresses. */
export const networkFactor = 4;

/** Counts a request for one of several limits. */
type Take = (counted: OnCounted) => Awaitable<void>;

/** Counts a request for one limit after another, until one is used up. `counted` gets the one with the least left. */
async function countAll(takes: readonly Take[], counted: OnCounted): Promise<void> {
  const found: Allowance[] = [];
  const note = (allowance: Allowance): void => {
    found.push(allowance);
  };
  for (const take of takes) if (found.every(({ remaining }) => remaining >= 0)) await take(note);
  const least = found.sort((one, other) => one.remaining - other.remaining)[0];
  if (least !== undefined) counted(least);
}

/** The operator's limit on an API key's requests per minute; 0 means unlimited, and null the default of the settings. */
const ownLimitOf = (principal: Principal): number | null =>
  principal.kind === 'api_key' ? principal.requestsPerMinute : null;

/** Whether anybody can have such a credential: public, or a guest's. Its users are counted by address. */
export const isSharedCredential = (principal: Principal): boolean =>
  isGuest(principal) || (principal.kind === 'api_key' && principal.keyKind === 'publishable');

const isGuest = (principal: Principal): boolean => principal.kind === 'end_user' && principal.isGuest;

/** Whether the request comes from a player or with a publishable key, not from the account itself. */
export const isStranger = (principal: Principal): boolean => principal.kind === 'end_user' || isSharedCredential(principal);

/** A principal is the same object in many requests. Looking up its name here is faster than joining and hashing it. */
const subjectNames = new WeakMap<Principal, string>();

/** Returns the name of a subject. All of its credentials share it, so a refreshed token does not get a new allowance. */
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

/** A user id may contain any character, so it comes last. */
function joinedName(principal: Principal): string {
  switch (principal.kind) {
    case 'developer':
      return developerName(principal);
    case 'end_user':
      return `end_user ${principal.accountId} ${principal.slug} ${principal.environment} ${principal.userId}`;
    case 'api_key':
      return `api_key ${principal.accountId} ${principal.keyId}`;
  }
}
