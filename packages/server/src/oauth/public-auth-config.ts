/** The public part of a project's sign-in settings. @see docs/contract.md §7.10 */
import type { PublicAuthConfigBody, SignInSettings } from '@holdfast/contract';
import type { Static } from 'typebox';
import { playerClientId } from '../common/ids/client-id.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Clients } from './clients.ts';

type PublicAuthConfig = Static<typeof PublicAuthConfigBody>;

/** Results by settings, which are shared while they are remembered. */
const configs = new WeakMap<SignInSettings, PublicAuthConfig>();

/**
 * Returns branding and sign-in methods, the same object while they stay the same; throws `not_found` unless the project has player sign-in.
 */
export async function readPublicAuthConfig(clients: Pick<Clients, 'find'>, key: ProjectKey): Promise<PublicAuthConfig> {
  const client = await clients.find(playerClientId(key));
  if (client?.kind !== 'end_user') {
    throw new Refusal('not_found', `the account ${key.accountId} has no project "${key.slug}" with end-user sign-in`);
  }
  const { clientId, projectName, settings } = client;
  const known = configs.get(settings);
  if (known?.clientId === clientId && known.projectName === projectName) return known;
  const { logoData, logoMediaType, primaryColor, surfaceColor, bgColor, allowedIdps } = settings;
  const config = { clientId, projectName, logoData, logoMediaType, primaryColor, surfaceColor, bgColor, allowedIdps };
  configs.set(settings, config);
  return config;
}
