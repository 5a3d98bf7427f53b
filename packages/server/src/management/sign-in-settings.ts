/**
 * Sign-in settings of a project, which make it a client: redirect URIs, identity providers, and the look of its page.
 *
 * @see docs/contract.md §8.5
 */

import {
  builtInMethods,
  guestMethod,
  logoBytesMax,
  type PatchEndUserAuthConfigBody,
  type SettingWarningBody,
  type SignInSettings,
} from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { repeatRaced } from '../common/async/repeat-raced.ts';
import { isPicture } from '../common/files/picture.ts';
import { invalidMember, noProject } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import { quoted } from '../common/text/quoted.ts';
import { redirectUriFault } from '../common/text/redirect-uri.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { initialSettings, parseSettings, type SeenParameter } from '../storage/contract/sign-in-settings.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';
import { changedMailWords } from './mail-words.ts';

/** The default settings, with the previous values of those that stay if left out. */
export const initialBeside = ({ userStateHistory, sessionIdleDays, mailWords }: SignInSettings): SignInSettings => ({
  ...initialSettings,
  userStateHistory,
  sessionIdleDays,
  ...(mailWords && { mailWords }),
});

/**
 * Returns `settings` with the members of `change` in place, and without unknown members. The logo and its format change together. Throws as
 * `checkPlayerAuthConfig` and `changedMailWords` do.
 */
export function withChange(
  settings: SignInSettings,
  { mailWords: sentWords, ...change }: PatchEndUserAuthConfigBody,
  allowsWords: boolean,
): SignInSettings {
  const isLogoChanged = change.logoData !== undefined || change.logoMediaType !== undefined;
  const logo = isLogoChanged && { logoData: change.logoData ?? null, logoMediaType: change.logoMediaType ?? null };
  const { mailWords: present, ...others } = settings;
  const mailWords = changedMailWords(present, sentWords, allowsWords);
  return { ...checkPlayerAuthConfig({ ...others, ...change, ...logo }), ...(mailWords && { mailWords }) };
}

/**
 * Returns the settings without unknown members. Throws `validation_error`, naming the member, if a rule is broken that the schema cannot
 * express.
 */
function checkPlayerAuthConfig(config: SignInSettings): SignInSettings {
  const {
    enabled,
    redirectUris,
    allowedIdps,
    logoData,
    logoMediaType,
    primaryColor,
    surfaceColor,
    bgColor,
    sessionIdleDays,
  } = config;
  const { versions, days } = config.userStateHistory;
  for (const [index, uri] of redirectUris.entries()) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) throw invalidMember(`redirectUris/${index}`, `the redirect URI ${quoted(uri)} ${fault}`);
  }
  checkLogo(logoData, logoMediaType);
  const userStateHistory = { versions, days };
  return {
    enabled,
    redirectUris,
    allowedIdps,
    logoData,
    logoMediaType,
    primaryColor,
    surfaceColor,
    bgColor,
    userStateHistory,
    sessionIdleDays,
  };
}

type LogoMediaType = NonNullable<SignInSettings['logoMediaType']>;

function checkLogo(data: string | null, mediaType: LogoMediaType | null): void {
  if (data === null && mediaType === null) return;
  if (data === null) throw invalidMember('logoMediaType', 'is given without logoData');
  if (mediaType === null) throw invalidMember('logoData', 'is given without logoMediaType');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalidMember('logoData', 'is not base64 (RFC 4648 §4)');
  if (bytes.length > logoBytesMax) throw invalidMember('logoData', `has more than ${logoBytesMax} bytes`);
  if (!isPicture(bytes, mediaType)) throw invalidMember('logoData', `is not ${mediaType}, from its first byte to its last`);
}

/**
 * Refuses `upgrade_unfinished` for settings that let guests in while nodes may be running that would not enforce the limits of guests.
 *
 * @see docs/contract.md §7.14
 */
export async function requireGuestsHeld(
  store: Pick<Store, 'isUpgradeFinished'>,
  { allowedIdps = [] }: PatchEndUserAuthConfigBody,
): Promise<void> {
  if (allowedIdps.includes(guestMethod)) await requireFinishedUpgrade(store, 'guests');
}

/**
 * Returns what keeps people from signing in with these settings. `configured` are the account's configured providers; undefined if an
 * outside issuer decides who signs in, and its providers are unknown.
 */
export function settingWarnings(
  { allowedIdps, redirectUris }: Pick<SignInSettings, 'allowedIdps' | 'redirectUris'>,
  configured: readonly string[] | undefined,
  rejectedParameters: readonly SeenParameter[],
): SettingWarningBody[] {
  const unknown = configured && allowedIdps.filter((id) => !builtInMethods.includes(id) && !configured.includes(id));
  return [
    ...(unknown ?? []).map((id) => ({
      code: 'idp_not_configured' as const,
      value: id,
      message: `the account has not configured ${id}, so the login page does not offer it: PUT /v1/{accountId}/identity-providers/${id}`,
      lastSeenAt: null,
    })),
    ...rejectedParameters
      .filter(({ kind, value }) => kind === 'scope' || !redirectUris.includes(value))
      .map(({ kind, value, at }) => ({ ...rejectionTexts[kind](value), value, lastSeenAt: formatTime(at) })),
  ];
}

const rejectionTexts = {
  redirect_uri: (value: string) => ({
    code: 'redirect_uri_not_registered' as const,
    message: `a sign-in asked to return to ${JSON.stringify(value)}, which is not in redirectUris; they are compared character by character`,
  }),
  scope: (value: string) => ({
    code: 'scope_not_valid' as const,
    message: `a sign-in asked for the scope ${JSON.stringify(value)}; it must be env:development, env:staging or env:production`,
  }),
} as const;

/** How often a change is tried if other ones come first. */
const racesMax = 20;

/** Returns the settings of the project, or the initial ones before they are first written. Throws `not_found`. */
export async function readSignInSettings(store: Pick<Store, 'readPlayerAuth'>, key: ProjectKey): Promise<SignInSettings> {
  return parseSettings(await readText(store, key));
}

/**
 * Replaces the settings of the project with the result of `change`, and returns it. No concurrent change is lost: `change` is called again
 * if another one came first. Throws `not_found`, whatever `change` throws, and `StoreUnavailable` if others come first every time.
 */
export async function changeSignInSettings(
  store: Pick<Store, 'readPlayerAuth' | 'changePlayerAuth'>,
  by: ChangedBy,
  key: ProjectKey,
  change: (settings: SignInSettings) => SignInSettings,
): Promise<SignInSettings> {
  const changed = await repeatRaced(racesMax, async () => {
    const text = await readText(store, key);
    const settings = change(parseSettings(text));
    const outcome = await store.changePlayerAuth(by, key, text, JSON.stringify(settings));
    if (outcome === 'no_project') throw noProject(key);
    return outcome === 'written' ? settings : 'raced';
  });
  if (changed !== 'raced') return changed;
  throw new StoreUnavailable('other changes of the sign-in settings keep getting in first: repeat the request');
}

async function readText(store: Pick<Store, 'readPlayerAuth'>, key: ProjectKey): Promise<string | null> {
  const text = await store.readPlayerAuth(key);
  if (text === undefined) throw noProject(key);
  return text;
}
