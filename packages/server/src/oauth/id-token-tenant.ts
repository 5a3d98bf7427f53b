import type { Client } from './clients.ts';

/**
 * Returns why an ID token of this tenant cannot sign in at the client; undefined if it can. A developer's ID token names no tenant, a
 * player's the tenant of the account.
 *
 * @see docs/contract.md §7.9
 */
export function tenantFault(client: Client, tenant: string | null): string | undefined {
  if (client.kind === 'developer') return tenant === null ? undefined : 'the ID token is of an end user';
  return tenant === client.tenantId ? undefined : 'the ID token is of another tenant';
}
