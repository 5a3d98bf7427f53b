/** The end-user sign-in settings of a project, which make it a client. @see docs/contract.md §8.5 */
import type { EndUserAuthConfigBody } from '@holdfast/contract';
import { Refusal } from '../common/refusal.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import type { ProjectKey } from '../storage/store.ts';

/** The settings of a project before they are first written: sign-in is off. */
const initial: EndUserAuthConfigBody = {
  enabled: false,
  redirectUris: [],
  allowedIdps: [],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
};

/** Returns the settings of the project, or throws `not_found`. */
export async function readClientSettings(
  store: Pick<SignInStore, 'readEndUserAuth'>,
  key: ProjectKey,
): Promise<EndUserAuthConfigBody> {
  const text = await store.readEndUserAuth(key);
  if (text === undefined) throw noProject(key);
  return text === null ? initial : (JSON.parse(text) as EndUserAuthConfigBody);
}

/** Replaces the settings of the project with validated ones and returns them, or throws `not_found`. */
export async function replaceClientSettings(
  store: Pick<SignInStore, 'writeEndUserAuth'>,
  key: ProjectKey,
  settings: EndUserAuthConfigBody,
): Promise<EndUserAuthConfigBody> {
  const outcome = await store.writeEndUserAuth(key, JSON.stringify(settings));
  if (outcome === 'no_project') throw noProject(key);
  return settings;
}

const noProject = ({ accountId, slug }: ProjectKey): Refusal =>
  new Refusal('not_found', `there is no project "${slug}" in the account ${accountId}`);
