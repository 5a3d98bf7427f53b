/** The public part of a project's sign-in settings. @see docs/contract.md §7.10 */
import type { PublicAuthConfigBody } from '@holdfast/contract';
import type { Static } from 'typebox';
import { Refusal } from '../common/refusal.ts';
import type { ProjectKey } from '../storage/store.ts';
import { type Clients, endUserClientId } from './clients.ts';

/** Returns branding and sign-in methods; throws `not_found` unless the project exists with end-user sign-in enabled. */
export async function readPublicAuthConfig(
  clients: Pick<Clients, 'find'>,
  key: ProjectKey,
): Promise<Static<typeof PublicAuthConfigBody>> {
  const client = await clients.find(endUserClientId(key));
  if (client?.kind !== 'end_user') {
    throw new Refusal('not_found', `the account ${key.accountId} has no project "${key.slug}" with end-user sign-in`);
  }
  const { logoData, logoMediaType, primaryColor, surfaceColor, bgColor, allowedIdps } = client.settings;
  return {
    clientId: client.clientId,
    projectName: client.projectName,
    ...{ logoData, logoMediaType, primaryColor, surfaceColor, bgColor, allowedIdps },
  };
}
