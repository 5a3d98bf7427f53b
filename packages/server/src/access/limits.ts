/** The limits of requests: per credential where one was accepted, per client address where none was. */
import type { BlockList } from 'node:net';
import type { RateWindowStore } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { clientName } from './client-address.ts';
import type { Principal } from './principal.ts';
import { type Allowance, RateLimit, refuseBeyond } from './rate-limit.ts';

/** What a connection and a request say of where they come from. */
export interface Origin {
  readonly peerAddress: string;
  readonly forwardedFor: string | undefined;
}

export interface LimitOptions {
  readonly store: Pick<RateWindowStore, 'takeFromWindow'>;
  /** Requests of one credential per minute; 0 switches the limit off. */
  readonly credentialPerMinute: number;
  /** Anonymous requests and failed credentials of one client address per minute; 0 switches the limit off. */
  readonly addressPerMinute: number;
  readonly trustedProxies: BlockList | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Counting refuses nothing by itself, and returns undefined when there is no limit. It rejects with `StoreUnavailable` when
 * nobody can say what is left: then nobody is let in, not even without a credential.
 */
export interface Limits {
  /** Counts a request of an accepted credential. */
  countCredential(principal: Principal): Awaitable<Allowance | undefined>;
  /** Counts an anonymous request, or a credential that was refused. */
  countAddress(origin: Origin): Awaitable<Allowance | undefined>;
  /** The name under which an address is counted. */
  nameOf(origin: Origin): string;
  /** Throws `rate_limited` when an address may not present another credential that nobody knows yet. */
  checkAddress(origin: Origin): void;
}

/** Returns limits that hold for all processes of the store together. */
export function createLimits(options: LimitOptions): Limits {
  const { store, credentialPerMinute, addressPerMinute, trustedProxies, now } = options;
  const limitOf = (name: string, requestsPerMinute: number) =>
    requestsPerMinute > 0 ? new RateLimit({ store, name, requestsPerMinute, now }) : undefined;
  const credentials = limitOf('requests-of-credential', credentialPerMinute);
  const addresses = limitOf('requests-of-address', addressPerMinute);
  const nameOf = ({ peerAddress, forwardedFor }: Origin) => clientName(peerAddress, forwardedFor, trustedProxies);
  return {
    nameOf,
    countCredential: (principal) => credentials?.take(principal.credentialId),
    countAddress: (origin) => addresses?.take(nameOf(origin)),
    checkAddress(origin) {
      const left = addresses?.peek(nameOf(origin));
      if (left !== undefined) refuseBeyond({ ...left, remaining: left.remaining - 1 });
    },
  };
}
