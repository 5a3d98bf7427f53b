/** How identity providers that tenants choose are reached. */
import type { Config } from '../config/config.ts';
import type { NetworkAccess } from '../identity/upstream-client.ts';
import { createPublicFetch } from '../outbound/public-fetch.ts';

/**
 * Returns how account providers are reached. Unless the operator allows private addresses, they may not be on this machine or in its
 * network: a developer could otherwise make the service connect to machines that only it reaches. Their names are resolved without the
 * threads of the system's resolver in both cases.
 */
export function reachOfProviders({ idpPrivateAddresses }: Pick<Config, 'idpPrivateAddresses'>): NetworkAccess {
  const mayUseLoopback = idpPrivateAddresses === 'allowed';
  return { fetch: createPublicFetch(mayUseLoopback ? { isRefused: () => false } : {}), mayUseLoopback };
}
