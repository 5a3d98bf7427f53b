/** Records of a project's sign-in settings. */
import Type from 'typebox';
import {
  historyDaysMax,
  historyVersionsMax,
  logoBytesMax,
  mailFooterCharactersMax,
  mailGreetingCharactersMax,
  mailSubjectCharactersMax,
  redirectUriCharactersMax,
  redirectUrisMax,
  sessionIdleDaysMax,
} from '../limits.ts';
import { builtInMethods, signInMethodPattern } from '../sign-in-methods.ts';
import { inDescription, Name, nullable, set, Time, text } from './fields.ts';
import { pattern, providerNames } from './patterns.ts';

const Colour = nullable(
  Type.String({
    ...pattern('^#[0-9a-fA-F]{6}$', 'a colour of six hexadecimal digits, such as #1a2b3c'),
    description: 'An sRGB colour, `#rrggbb`.',
  }),
);

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
    'Scheme `https`, `http` on a loopback host (`localhost`, `127.0.0.0/8`, `[::1]`), or a private-use scheme with a dot, such as `com.example.app:/callback`; no fragment, no wildcard, no user information. The host has letters, digits, `.`, `-` and `_` only, or is an IPv6 address.',
});
export const AllowedIdps = set(
  Type.String(pattern(signInMethodPattern, `${builtInMethods.join(', ')}, ${providerNames}`)),
  {
    maxItems: 32,
    description:
      'Allowed sign-in methods, named as in Identity Platform. `anonymous` allows guests, who play without signing in.',
  },
);
export const LogoMediaType = Type.Enum(['image/png', 'image/jpeg', 'image/webp'], {
  description: 'The format of a logo.',
});
/** Four characters for every three bytes. The last group is padded, and its unused bits are zero. */
const base64Pattern = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
export const branding = {
  logoData: nullable(
    Type.String({
      [inDescription]: { pattern: base64Pattern, minLength: 4, maxLength: 4 * Math.ceil(logoBytesMax / 3) },
      description: `The logo, in base64 (RFC 4648 §4); at most ${logoBytesMax.toLocaleString('en-US')} bytes before encoding.`,
    }),
    'The logo. It and its media type are both set or both null.',
  ),
  logoMediaType: nullable(LogoMediaType, 'The format of the logo, checked against its bytes.'),
  primaryColor: Colour,
  surfaceColor: Colour,
  bgColor: Colour,
};
export const SaveRetentionBody = Type.Object(
  {
    versions: Type.Integer({
      minimum: 0,
      maximum: historyVersionsMax,
      description: 'Number of versions kept besides the current one. 0: none.',
    }),
    days: Type.Integer({
      minimum: 0,
      maximum: historyDaysMax,
      description: 'Number of days to keep a version after it was replaced. 0: none is kept.',
    }),
  },
  { description: 'Retention of versions of a document besides the current one.' },
);
const SessionIdleDays = nullable(
  Type.Integer({ minimum: 1, maximum: sessionIdleDaysMax }),
  'Days without a refresh after which a session ends. Null: the setting of the operator, 30 days by default.',
);
const words = {
  subject: nullable(
    text(mailSubjectCharactersMax, { charactersMin: 1 }),
    "The subject of the mail with a sign-up's code, after the code.",
  ),
  greeting: nullable(text(mailGreetingCharactersMax, { charactersMin: 1 }), 'A line before the first sentence.'),
  footer: nullable(text(mailFooterCharactersMax, { charactersMin: 1 }), 'Lines below each mail.'),
};
export const MailWordsBody = Type.Object(words, {
  description:
    "The project's own words in mails to its users: plain text without addresses and domains. Absent if it has none. Shown while the operator allows it (`SVC_MAIL_TEXTS`).",
});
export const ReplaceMailWordsBody = Type.Partial(MailWordsBody, {
  description: "The project's own words in mails. An omitted member is null: the service's words apply.",
});
const settings = {
  enabled: Type.Boolean({ description: 'Whether end users can sign in to this project.' }),
  redirectUris: set(RedirectUri, {
    maxItems: redirectUrisMax,
    description: 'Allowed redirect URIs, compared exactly.',
  }),
  allowedIdps: AllowedIdps,
  ...branding,
  userStateHistory: SaveRetentionBody,
  sessionIdleDays: SessionIdleDays,
  mailWords: Type.Optional(MailWordsBody),
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
      description: 'The kind of problem.',
    }),
    value: Type.String({
      description: 'The provider, or the redirect URI or scope that a client requested, up to 200 characters.',
    }),
    message: Type.String({ description: 'For people: the problem and how to fix it.' }),
    lastSeenAt: nullable(Time, 'When a client last requested it. Null for a provider.'),
  },
  { description: 'A problem that prevents sign-in.' },
);
export type SettingWarningBody = Type.Static<typeof SettingWarningBody>;
export const EndUserAuthConfigBody = Type.Object(
  {
    ...settings,
    warnings: Type.Optional(
      Type.Array(SettingWarningBody, {
        description:
          'Problems: providers in `allowedIdps` that the account has not configured, unless an outside issuer signs people in, and rejected requests of clients in the last 24 hours that the answering node has seen, at most 16 per account. Absent if there are none.',
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
  mailWords: Type.Optional(
    nullable(
      ReplaceMailWordsBody,
      "The project's own words in mails; null, like an omitted member, for the service's words. 400 unless the operator allows them.",
    ),
  ),
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
      'All settings. An omitted field becomes null, or an empty list; `userStateHistory`, `sessionIdleDays` and `mailWords` stay. `logoData` and `logoMediaType` are both set or both null. Unknown fields, including `warnings`, are ignored, so a record that was read can be sent back.',
  },
);
export type ReplaceEndUserAuthConfigBody = Type.Static<typeof ReplaceEndUserAuthConfigBody>;
export const PatchEndUserAuthConfigBody = Type.Object(
  { enabled: Type.Optional(enabled), ...optionalSettings },
  {
    [inDescription]: sentLogoPair,
    description:
      'Some of the settings. Omitted fields stay. `logoData` and `logoMediaType` change together: if only one is given, the other counts as null. Unknown fields, including `warnings`, are ignored.',
  },
);
export type PatchEndUserAuthConfigBody = Type.Static<typeof PatchEndUserAuthConfigBody>;
export const PublicAuthConfigBody = Type.Object({
  clientId: Type.String({ description: 'The client id of the project: `{accountId}.{slug}`.' }),
  projectName: Name,
  ...branding,
  allowedIdps: AllowedIdps,
});
