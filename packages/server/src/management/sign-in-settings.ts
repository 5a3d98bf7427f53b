/**
 * Sign-in settings of a project, which make it a client: redirect URIs, identity providers, and the look of its page.
 *
 * @see docs/contract.md §8.5
 */
import {
  logoBytesMax,
  type PatchEndUserAuthConfigBody,
  type SettingWarningBody,
  type SignInSettings,
  userStateHistoryDefault,
} from '@holdfast/contract';
import { demandFinishedUpgrade } from '../common/finished-upgrade.ts';
import { quoted, Refusal } from '../common/refusal.ts';
import { formatTime } from '../common/time.ts';
import type { ChangedBy } from '../storage/audit-store.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import { type ProjectKey, StoreUnavailable } from '../storage/store.ts';
import type { UpgradeStore } from '../storage/upgrade-store.ts';
import { isPicture } from './picture.ts';
import { redirectUriFault } from './redirect-uri.ts';

/** Settings of which nothing was said. */
export const initialSettings: SignInSettings = {
  enabled: false,
  redirectUris: [],
  allowedIdps: [],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
  userStateHistory: userStateHistoryDefault,
  sessionIdleDays: null,
};

/** Settings of which nothing was said, with those of before that stay when they are left out. */
export const initialBeside = ({ userStateHistory, sessionIdleDays }: SignInSettings): SignInSettings => ({
  ...initialSettings,
  userStateHistory,
  sessionIdleDays,
});

/**
 * Returns `settings` with the members of `change` in their place, and without members that are none of theirs. The logo and its
 * format change together. Throws what `checkPlayerAuthConfig` throws.
 */
export function withChange(settings: SignInSettings, change: PatchEndUserAuthConfigBody): SignInSettings {
  const isLogoChanged = change.logoData !== undefined || change.logoMediaType !== undefined;
  const logo = isLogoChanged && { logoData: change.logoData ?? null, logoMediaType: change.logoMediaType ?? null };
  return checkPlayerAuthConfig({ ...settings, ...change, ...logo });
}

/**
 * Returns the settings without members that are none of theirs. Throws `validation_error` naming the member that breaks a rule
 * which the schema cannot say.
 */
export function checkPlayerAuthConfig(config: SignInSettings): SignInSettings {
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
    if (fault !== undefined) throw invalid(`redirectUris/${index}`, `the redirect URI ${quoted(uri)} ${fault}`);
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
  if (data === null) throw invalid('logoMediaType', 'is given without logoData');
  if (mediaType === null) throw invalid('logoData', 'is given without logoMediaType');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalid('logoData', 'is not base64 (RFC 4648 §4)');
  if (bytes.length > logoBytesMax) throw invalid('logoData', `has more than ${logoBytesMax} bytes`);
  if (!isPicture(bytes, mediaType)) throw invalid('logoData', `is not ${mediaType}, from its first byte to its last`);
}

/** Methods that no provider has to be configured for: passwords, and guests, who need none. */
const builtInMethods: readonly string[] = ['password', 'anonymous'];

/**
 * Refuses `upgrade_unfinished` for settings that let guests in while nodes may run that would not hold guests to their limits.
 *
 * @see docs/contract.md §7.14
 */
export async function demandGuestsHeld(
  store: UpgradeStore,
  { allowedIdps = [] }: PatchEndUserAuthConfigBody,
): Promise<void> {
  if (allowedIdps.includes('anonymous')) await demandFinishedUpgrade(store, 'guests');
}

/** A parameter of a sign-in that was rejected, and when it was sent last. */
export interface SeenParameter {
  readonly kind: 'redirect_uri' | 'scope';
  readonly value: string;
  readonly at: number;
}

/**
 * Returns what keeps people from signing in with these settings. `configured` are the providers that the account has configured;
 * undefined when an outside issuer decides who signs in, and nothing is known of its providers.
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

const invalid = (member: string, fault: string): Refusal => new Refusal('validation_error', `"/${member}" ${fault}`);

/** Writes that came between a read and its write, before a change is given up. */
const attemptsMax = 20;

/** Returns the settings of the project, or the initial ones before they are first written. Throws `not_found`. */
export async function readSignInSettings(
  store: Pick<SignInStore, 'readPlayerAuth'>,
  key: ProjectKey,
): Promise<SignInSettings> {
  return parseSettings(await readText(store, key));
}

/**
 * Replaces the settings of the project with what `change` makes of them, and returns those. Of changes at one moment none is lost:
 * `change` is called again when another one came first. Throws `not_found`, what `change` throws, and `StoreUnavailable` when others
 * come first all the time.
 */
export async function changeSignInSettings(
  store: Pick<SignInStore, 'readPlayerAuth' | 'changePlayerAuth'>,
  by: ChangedBy,
  key: ProjectKey,
  change: (settings: SignInSettings) => SignInSettings,
): Promise<SignInSettings> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const text = await readText(store, key);
    const settings = change(parseSettings(text));
    const outcome = await store.changePlayerAuth(by, key, text, JSON.stringify(settings));
    if (outcome === 'no_project') throw noProject(key);
    if (outcome === 'written') return settings;
  }
  throw new StoreUnavailable('the sign-in settings were changed by others all the time');
}

async function readText(store: Pick<SignInStore, 'readPlayerAuth'>, key: ProjectKey): Promise<string | null> {
  const text = await store.readPlayerAuth(key);
  if (text === undefined) throw noProject(key);
  return text;
}

/** Returns the settings that a text has which was stored; null: none. Those of an earlier release have the defaults of what they lack. */
export function parseSettings(text: string | null): SignInSettings {
  if (text === null) return initialSettings;
  const settings: Omit<SignInSettings, 'userStateHistory' | 'sessionIdleDays'> & Partial<SignInSettings> = JSON.parse(text);
  const { userStateHistory = userStateHistoryDefault, sessionIdleDays = null } = settings;
  return { ...settings, userStateHistory, sessionIdleDays };
}

const noProject = ({ accountId, slug }: ProjectKey): Refusal =>
  new Refusal('not_found', `there is no project "${slug}" in the account ${accountId}`);
