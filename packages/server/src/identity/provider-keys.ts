/**
 * The keys of an OpenID Connect issuer: kept for ten minutes, and fetched again if a token names an unknown key.
 *
 * @see OpenID Connect Discovery 1.0 §4, RFC 7517
 */

import { isIP } from 'node:net';
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import * as errors from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { isLoopback } from '../common/net/loopback.ts';
import { addressesIn, isAmong } from '../common/net/networks.ts';
import { type Fetch, FetchFault } from '../outbound/fetch.ts';
import { namesPrivateAddress } from '../outbound/public-address.ts';
import { fetchJson } from './fetch-json.ts';

const ageMillisecondsMax = 10 * 60_000;
/** How often an unknown key id may cause a request to the issuer. Anyone can invent key ids. */
const unknownKeyPauseMilliseconds = 5_000;
/** How soon an unreachable issuer is tried again. */
const failurePauseMilliseconds = 1_000;

/** The issuer's keys are not available now. A later sign-in looks for them again. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export interface ProviderKeysOptions {
  readonly issuer: string;
  readonly now: () => number;
  /** Returns the published keys. */
  readonly fetchKeys: () => Promise<unknown>;
}

/** Resolves the key of a token's header; throws `ProviderUnavailable`, or an error of `jose` if no key fits. */
export type FindKey = (header: JWSHeaderParameters) => Promise<CryptoKey>;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Returns the resolver of the issuer's keys. Nothing is fetched before the first token. */
export function createProviderKeys({ issuer, now, fetchKeys }: ProviderKeysOptions): FindKey {
  let keys: KeySet | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let fetching: Promise<KeySet> | undefined;

  async function fetchAndKeep(): Promise<KeySet> {
    triedAt = now();
    try {
      keys = createLocalJWKSet((await fetchKeys()) as JSONWebKeySet); // throws if this is not a key set
      fetchedAt = now();
      failure = undefined;
      return keys;
    } catch (cause) {
      failure = cause;
      throw new ProviderUnavailable(`the keys of ${issuer} cannot be fetched`, { cause });
    } finally {
      fetching = undefined;
    }
  }

  /** Callers during a fetch share it. */
  function refetch(): Promise<KeySet> {
    if (fetching === undefined && failure !== undefined && now() < triedAt + failurePauseMilliseconds) {
      return Promise.reject(new ProviderUnavailable(`the keys of ${issuer} cannot be fetched`, { cause: failure }));
    }
    fetching ??= fetchAndKeep();
    return fetching;
  }

  return async (header) => {
    const known = keys !== undefined && now() < fetchedAt + ageMillisecondsMax ? keys : await refetch();
    try {
      return await known(header);
    } catch (fault) {
      const isUnknown = fault instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || (fetching === undefined && now() < triedAt + unknownKeyPauseMilliseconds)) throw fault;
      return (await refetch())(header);
    }
  };
}

/** Returns an issuer's published keys, found through its metadata. Rejects if either cannot be read or belongs to another issuer. */
export async function fetchProviderKeys(issuer: string, fetch: Fetch): Promise<JSONWebKeySet> {
  return (await fetchJson(await discoverJwksUri(issuer, fetch), fetch)) as JSONWebKeySet;
}

/** Returns the keys of a set; throws `FetchFault` if it is not a key set. */
export function keysIn(set: unknown): readonly unknown[] {
  const { keys } = Object(set) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(keys)) throw new FetchFault('the keys of the issuer are not a JSON Web Key Set');
  return keys;
}

/** Returns the address of the issuer's keys; throws `FetchFault` if the metadata belongs to another issuer. */
async function discoverJwksUri(issuer: string, fetch: Fetch): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = (await fetchJson(url, fetch)) as Readonly<Record<string, unknown>> | null;
  if (metadata?.issuer !== issuer) throw new FetchFault(`${url} is the metadata of another issuer than ${issuer}`);
  const { jwks_uri: jwksUri } = metadata;
  if (typeof jwksUri !== 'string' || !isTrustedAddress(jwksUri)) {
    throw new FetchFault(`${url} names a jwks_uri that is not https, or http on loopback`);
  }
  if (issuer.startsWith('https:') && !/^https:/i.test(jwksUri))
    throw new FetchFault(`${url} leaves https for its jwks_uri`);
  return jwksUri;
}

/** Whether `url` is `https:`, or `http:` on loopback, without credentials. */
export function isTrustedAddress(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
}

/** Addresses, in IPv4 or mapped into IPv6, of this machine or of others on its local link. */
const nearby = addressesIn(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10']);

/** Whether `url` names this machine, in any notation. Host names are not resolved: a company's issuer may be in its internal network. */
export function isOwnMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : isAmong(nearby, host);
}

/** Returns why an account may not use this issuer, as the end of a sentence; undefined if it may. */
export function issuerFault(issuer: string, isPrivateAllowed: boolean): string | undefined {
  if (!isTrustedAddress(issuer) || /[?#]/.test(issuer))
    return 'must be an https URL without credentials, query and fragment';
  if (isPrivateAllowed) return undefined;
  if (isOwnMachine(issuer)) return 'is an address of the service itself';
  return namesPrivateAddress(issuer) ? 'is a private address, which the operator does not allow' : undefined;
}
