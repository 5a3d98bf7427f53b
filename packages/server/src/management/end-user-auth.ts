/** Sign-in settings of a project: redirect URIs, identity providers, and the look of its page. */
import {
  logoBytesMax,
  type PatchEndUserAuthConfigBody,
  type SettingWarningBody,
  type SignInSettings,
} from '@holdfast/contract';
import { quoted, Refusal } from '../common/refusal.ts';
import { formatTime } from '../common/time.ts';
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
};

/**
 * Returns `settings` with the members of `change` in their place, and without members that are none of theirs. The logo and its
 * format change together. Throws what `checkEndUserAuthConfig` throws.
 */
export function withChange(settings: SignInSettings, change: PatchEndUserAuthConfigBody): SignInSettings {
  const isLogoChanged = change.logoData !== undefined || change.logoMediaType !== undefined;
  const logo = isLogoChanged && { logoData: change.logoData ?? null, logoMediaType: change.logoMediaType ?? null };
  return checkEndUserAuthConfig({ ...settings, ...change, ...logo });
}

/**
 * Returns the settings without members that are none of theirs. Throws `validation_error` naming the member that breaks a rule
 * which the schema cannot say.
 */
export function checkEndUserAuthConfig(config: SignInSettings): SignInSettings {
  const { enabled, redirectUris, allowedIdps, logoData, logoMediaType, primaryColor, surfaceColor, bgColor } = config;
  for (const [index, uri] of redirectUris.entries()) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) throw invalid(`redirectUris/${index}`, `the redirect URI ${quoted(uri)} ${fault}`);
  }
  checkLogo(logoData, logoMediaType);
  return { enabled, redirectUris, allowedIdps, logoData, logoMediaType, primaryColor, surfaceColor, bgColor };
}

type LogoMediaType = NonNullable<SignInSettings['logoMediaType']>;

/** How the bytes of each media type begin; null stands for any byte. */
const beginnings: Readonly<Record<LogoMediaType, readonly (number | null)[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/webp': [...Buffer.from('RIFF'), null, null, null, null, ...Buffer.from('WEBP')],
};

function checkLogo(data: string | null, mediaType: LogoMediaType | null): void {
  if (data === null && mediaType === null) return;
  if (data === null) throw invalid('logoMediaType', 'is given without logoData');
  if (mediaType === null) throw invalid('logoData', 'is given without logoMediaType');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalid('logoData', 'is not base64 (RFC 4648 §4)');
  if (bytes.length > logoBytesMax) throw invalid('logoData', `has more than ${logoBytesMax} bytes`);
  if (!beginnings[mediaType].every((byte, index) => byte === null || bytes[index] === byte)) {
    throw invalid('logoData', `is not ${mediaType}`);
  }
}

/** What a client asked for in vain. */
export interface AskedInVain {
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
  askedInVain: readonly AskedInVain[],
): SettingWarningBody[] {
  const unknown = configured && allowedIdps.filter((id) => id !== 'password' && !configured.includes(id));
  return [
    ...(unknown ?? []).map((id) => ({
      code: 'idp_not_configured' as const,
      value: id,
      message: `the account has not configured ${id}, so the login page does not offer it: PUT /v1/{accountId}/identity-providers/${id}`,
      lastSeenAt: null,
    })),
    ...askedInVain
      .filter(({ kind, value }) => kind === 'scope' || !redirectUris.includes(value))
      .map(({ kind, value, at }) => ({ ...vainTexts[kind](value), value, lastSeenAt: formatTime(at) })),
  ];
}

const vainTexts = {
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
