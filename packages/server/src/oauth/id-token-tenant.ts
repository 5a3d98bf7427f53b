import type { Client } from './clients.ts';

/**
 * Says why an ID token of this tenant signs nobody in at the client; undefined when it does. The ID token of a developer names no tenant,
 * and that of a player the tenant of the account.
 *
 * @see docs/contract.md §7.9
 */
export function tenantFault(client: Client, tenant: string | null): string | undefined {
  if (client.kind === 'developer') return tenant === null ? undefined : 'the ID token is of an end user';
  return tenant === client.tenantId ? undefined : 'the ID token is of another tenant';
}
