/** Records of a project's sign-in settings. */
import Type from 'typebox';
import {
  historyDaysMax,
  historyVersionsMax,
  logoBytesMax,
  redirectUriCharactersMax,
  redirectUrisMax,
  sessionIdleDaysMax,
} from '../limits.ts';
import { inDescription, Name, nullable, set, Time, text } from './fields.ts';
import { allowedIdpPattern, colourPattern } from './patterns.ts';

const Colour = nullable(Type.String({ pattern: colourPattern, description: 'An sRGB colour, `#rrggbb`.' }));

/** One character of a URI, or a complete escape; without fragment and wildcard. @see RFC 3986 §2 */
const uriCharacter = "(?:[A-Za-z0-9\\-._~:/?[\\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})";
/** The same in an authority, which ends at the first slash or question mark. */
const userCharacter = "(?:[A-Za-z0-9\\-._~:[\\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})";
const host = '(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{0,5})?';
const letters = (word: string) => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
const loopback = `(?:${letters('localhost')}|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])(?::[0-9]{1,5})?`;
const privateScheme = '[A-Za-z][A-Za-z0-9+-]*(?:\\.[A-Za-z0-9+-]+)+';
const redirectUriForms = [
  `${letters('https')}://${host}(?:[/?]${uriCharacter}*)?`,
  `${letters('http')}://${loopback}(?:[/?]${uriCharacter}*)?`,
  `${privateScheme}:/(?:${uriCharacter.replace('/', '')}${uriCharacter}*)?`,
  `${privateScheme}://(?:${userCharacter}*@)?(?:${host})?(?:[/?]${uriCharacter}*)?`,
];
export const RedirectUri = text(redirectUriCharactersMax, {
  charactersMin: 1,
  [inDescription]: { pattern: `^(?:${redirectUriForms.join('|')})$` },
  description:
    'Of `https`, of `http` on a loopback host (`localhost`, `127.0.0.0/8`, `[::1]`), or of a private-use scheme with a dot, such as `com.example.app:/callback`; no fragment, no wildcard, no user information. The host has letters, digits, `.`, `-` and `_` only, or is an IPv6 address.',
});
export const AllowedIdps = set(
  Type.String({
    pattern: allowedIdpPattern,
  }),
  {
    maxItems: 32,
    description:
      'Sign-in methods that the project allows, named as in Identity Platform. `anonymous` lets guests in: who plays without signing in.',
  },
);
export const LogoMediaType = Type.Enum(['image/png', 'image/jpeg', 'image/webp'], {
  description: 'The format of a logo.',
});
/** Four characters for three bytes. The last group is padded, and its unused bits are zero. */
const base64Pattern = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
export const branding = {
  logoData: nullable(
    Type.String({
      [inDescription]: { pattern: base64Pattern, minLength: 4, maxLength: 4 * Math.ceil(logoBytesMax / 3) },
      description: `The logo, in base64 (RFC 4648 §4); at most ${logoBytesMax.toLocaleString('en-US')} bytes before that.`,
    }),
    'The logo. It stands with its media type, or both are null.',
  ),
  logoMediaType: nullable(LogoMediaType, 'The format of the logo. Its bytes are held against it.'),
  primaryColor: Colour,
  surfaceColor: Colour,
  bgColor: Colour,
};
export const SaveRetentionBody = Type.Object(
  {
    versions: Type.Integer({
      minimum: 0,
      maximum: historyVersionsMax,
      description: 'How many versions are kept beside the current one. 0: none.',
    }),
    days: Type.Integer({
      minimum: 0,
      maximum: historyDaysMax,
      description: 'For how many days a version is kept after another one has replaced it. 0: none is kept.',
    }),
  },
  { description: 'Which versions of a document are kept beside the current one.' },
);
const SessionIdleDays = nullable(
  Type.Integer({ minimum: 1, maximum: sessionIdleDaysMax }),
  'After how many days without a refresh a sign-in ends. Null: as long as the operator has set, 30 days by default.',
);
const settings = {
  enabled: Type.Boolean({ description: 'Whether end users can sign in to this project.' }),
  redirectUris: set(RedirectUri, {
    maxItems: redirectUrisMax,
    description: 'Where sign-in may return to; compared exactly.',
  }),
  allowedIdps: AllowedIdps,
  ...branding,
  userStateHistory: SaveRetentionBody,
  sessionIdleDays: SessionIdleDays,
};
const logoPair = {
  if: { properties: { logoMediaType: { type: 'string' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { logoData: { type: 'string' } } },
  else: { properties: { logoData: { type: 'null' } } },
};
export const SettingWarningBody = Type.Object(
  {
    code: Type.Enum(['idp_not_configured', 'redirect_uri_not_registered', 'scope_not_valid'], {
      description: 'What does not fit.',
    }),
    value: Type.String({
      description: 'The provider, or what a client asked for: the redirect URI or scope, at most 200 characters of it.',
    }),
    message: Type.String({ description: 'For people: what does not fit, and what to do.' }),
    lastSeenAt: nullable(Time, 'When a client last asked for it. Null for a provider.'),
  },
  { description: 'Something that keeps people from signing in.' },
);
export type SettingWarningBody = Type.Static<typeof SettingWarningBody>;
export const EndUserAuthConfigBody = Type.Object(
  {
    ...settings,
    warnings: Type.Optional(
      Type.Array(SettingWarningBody, {
        description:
          'What does not fit: providers that `allowedIdps` names and the account has not configured, unless an outside issuer signs people in, and what clients asked for in vain during the last 24 hours, as far as the node that answers has seen it: at most 16 for each account. Absent when there is nothing.',
      }),
    ),
  },
  { [inDescription]: logoPair },
);
export type EndUserAuthConfigBody = Type.Static<typeof EndUserAuthConfigBody>;
/** The settings. */
export type SignInSettings = Omit<EndUserAuthConfigBody, 'warnings'>;

const { enabled, ...others } = settings;
const optionalSettings = {
  redirectUris: Type.Optional(others.redirectUris),
  allowedIdps: Type.Optional(others.allowedIdps),
  logoData: Type.Optional(others.logoData),
  logoMediaType: Type.Optional(others.logoMediaType),
  primaryColor: Type.Optional(others.primaryColor),
  surfaceColor: Type.Optional(others.surfaceColor),
  bgColor: Type.Optional(others.bgColor),
  userStateHistory: Type.Optional(others.userStateHistory),
  sessionIdleDays: Type.Optional(others.sessionIdleDays),
};
/** The logo and its format change together. If only one is given, the other counts as null. */
const sentLogoPair = {
  if: { properties: { logoMediaType: { type: 'string' } }, required: ['logoMediaType'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { logoData: { type: 'string' } }, required: ['logoData'] },
  else: { properties: { logoData: { type: 'null' } } },
};
export const ReplaceEndUserAuthConfigBody = Type.Object(
  { enabled, ...optionalSettings },
  {
    [inDescription]: sentLogoPair,
    description:
      'All settings. What is left out becomes null, a list empty; `userStateHistory` and `sessionIdleDays` stay. `logoData` and `logoMediaType` are both null or neither. Unknown members, `warnings` too, are ignored, so a record that was read can be sent back.',
  },
);
export type ReplaceEndUserAuthConfigBody = Type.Static<typeof ReplaceEndUserAuthConfigBody>;
export const PatchEndUserAuthConfigBody = Type.Object(
  { enabled: Type.Optional(enabled), ...optionalSettings },
  {
    [inDescription]: sentLogoPair,
    description:
      'Some of the settings. What is left out stays. `logoData` and `logoMediaType` change together: one that is left out beside the other counts as null. Unknown members, `warnings` too, are ignored.',
  },
);
export type PatchEndUserAuthConfigBody = Type.Static<typeof PatchEndUserAuthConfigBody>;
export const PublicAuthConfigBody = Type.Object({
  clientId: Type.String({ description: 'The client id of the project: `{accountId}.{slug}`.' }),
  projectName: Name,
  ...branding,
  allowedIdps: AllowedIdps,
});
