/**
 * Rate limits: for each subject of an accepted credential, for each client address that holds a publishable key, and for each client
 * address where no credential was accepted.
 */
import type { BlockList } from 'node:net';
import type { Principal } from '../access/principal.ts';
import type { Owner } from '../common/fair-queue.ts';
import type { RateWindowStore } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { clientName } from './client-address.ts';
import { type OnCounted, RateLimit, refuseBeyond } from './rate-limit.ts';

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
 * Counting refuses nothing by itself. It calls `counted` with what is left, unless there is no limit. It rejects with
 * `StoreUnavailable` when the store cannot say what is left. No request is let in then, also none without a credential.
 */
export interface Limits {
  /** Counts a request of an accepted credential for its subject: the end user, the developer or the API key. */
  countSubject(principal: Principal, counted: OnCounted): Awaitable<void>;
  /** Counts a request of a publishable API key for the key and the address together. */
  countHolder(principal: Principal, origin: Origin, counted: OnCounted): Awaitable<void>;
  /** Counts an anonymous request, or one whose credential was rejected. */
  countAddress(origin: Origin, counted: OnCounted): Awaitable<void>;
  /** The name under which an address is counted. */
  nameOf(origin: Origin): string;
  /** Whose share of a budget a request counts against; requests without a credential have one share together. */
  ownerOf(principal: Principal | undefined, origin: Origin): Owner;
  /** Throws `rate_limited` when an address may not present another unknown credential. */
  checkAddress(origin: Origin): void;
}

/** Returns limits that hold for all processes of the store together. */
export function createLimits(options: LimitOptions): Limits {
  const { store, subjectPerMinute, addressPerMinute, trustedProxies, now } = options;
  const limitOf = (name: string, requestsPerMinute: number) =>
    requestsPerMinute > 0 ? new RateLimit({ store, name, requestsPerMinute, now }) : undefined;
  const subjects = limitOf('requests-of-subject', subjectPerMinute);
  // Apart from the others: whoever holds such a key from many addresses must not make the counts of others be forgotten.
  const holders = limitOf('requests-of-holder', subjectPerMinute);
  const addresses = limitOf('requests-of-address', addressPerMinute);
  const nameOf = ({ peerAddress, forwardedFor }: Origin) => clientName(peerAddress, forwardedFor, trustedProxies);
  return {
    nameOf,
    countSubject: (principal, counted) => subjects?.take(subjectName(principal), counted),
    countHolder: (principal, origin, counted) => holders?.take(holderName(principal, nameOf(origin)), counted),
    countAddress: (origin, counted) => addresses?.take(nameOf(origin), counted),
    ownerOf: (principal, origin) =>
      principal === undefined
        ? { account: '', subject: nameOf(origin) }
        : {
            account: principal.accountId,
            subject: isHeldByMany(principal) ? holderName(principal, nameOf(origin)) : subjectName(principal),
          },
    checkAddress(origin) {
      const left = addresses?.peek(nameOf(origin));
      if (left !== undefined) refuseBeyond({ ...left, remaining: left.remaining - 1 });
    },
  };
}

/** Whether everybody may hold the credential, so that those who do are counted by their addresses. */
export const isHeldByMany = (principal: Principal): boolean =>
  principal.kind === 'api_key' && principal.keyKind === 'publishable';

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

const holderName = (principal: Principal, address: string): string => `${subjectName(principal)} ${address}`;

/** A user id can have any character, so it comes last. */
function joinedName(principal: Principal): string {
  switch (principal.kind) {
    case 'developer':
      return `developer ${principal.accountId} ${principal.subject}`;
    case 'end_user':
      return `end_user ${principal.accountId} ${principal.slug} ${principal.environment} ${principal.userId}`;
    case 'api_key':
      return `api_key ${principal.keyId}`;
  }
}
