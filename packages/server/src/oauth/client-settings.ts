/** The end-user sign-in settings of a project, which make it a client. @see docs/contract.md §8.5 */
import type { SignInSettings } from '@holdfast/contract';
import { Refusal } from '../common/refusal.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import { type ProjectKey, StoreUnavailable } from '../storage/store.ts';

/** Writes that came between a read and its write, before a change is given up. */
const attemptsMax = 20;

/** Returns the settings of the project, or `initial` before they are first written. Throws `not_found`. */
export async function readClientSettings(
  store: Pick<SignInStore, 'readEndUserAuth'>,
  key: ProjectKey,
  initial: SignInSettings,
): Promise<SignInSettings> {
  return parse(await readText(store, key), initial);
}

/** Replaces the settings of the project with validated ones and returns them, or throws `not_found`. */
export async function replaceClientSettings(
  store: Pick<SignInStore, 'writeEndUserAuth'>,
  key: ProjectKey,
  settings: SignInSettings,
): Promise<SignInSettings> {
  const outcome = await store.writeEndUserAuth(key, JSON.stringify(settings));
  if (outcome === 'no_project') throw noProject(key);
  return settings;
}

/**
 * Replaces the settings of the project with what `change` makes of them, and returns those. Of changes at one moment none is lost:
 * `change` is called again when another one came first. Throws `not_found`, what `change` throws, and `StoreUnavailable` when others
 * come first all the time.
 */
export async function changeClientSettings(
  store: Pick<SignInStore, 'readEndUserAuth' | 'changeEndUserAuth'>,
  key: ProjectKey,
  initial: SignInSettings,
  change: (settings: SignInSettings) => SignInSettings,
): Promise<SignInSettings> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const text = await readText(store, key);
    const settings = change(parse(text, initial));
    const outcome = await store.changeEndUserAuth(key, text, JSON.stringify(settings));
    if (outcome === 'no_project') throw noProject(key);
    if (outcome === 'written') return settings;
  }
  throw new StoreUnavailable('the sign-in settings were changed by others all the time');
}

async function readText(store: Pick<SignInStore, 'readEndUserAuth'>, key: ProjectKey): Promise<string | null> {
  const text = await store.readEndUserAuth(key);
  if (text === undefined) throw noProject(key);
  return text;
}

const parse = (text: string | null, initial: SignInSettings): SignInSettings =>
  text === null ? initial : (JSON.parse(text) as SignInSettings);

const noProject = ({ accountId, slug }: ProjectKey): Refusal =>
  new Refusal('not_found', `there is no project "${slug}" in the account ${accountId}`);
