/** Records of identity providers and users. */
import Type from 'typebox';
import {
  clientIdCharactersMax,
  clientSecretCharactersMax,
  nameCharactersMax,
  redirectUriCharactersMax,
} from '../limits.ts';
import { identityProviderIdPattern } from '../sign-in-methods.ts';
import { nullable, page, Time, text, UserId } from './fields.ts';
import { pattern, providerNames } from './patterns.ts';

export const IdentityProviderId = Type.String({
  ...pattern(identityProviderIdPattern, providerNames),
  description: 'The name of the provider in `allowedIdps`: a known provider, or `oidc.` and a name of your choice.',
});
const appleId = pattern('^[A-Z0-9]{10}$', 'ten capital letters and digits');
const providerMembers = {
  clientId: text(clientIdCharactersMax, {
    charactersMin: 1,
    description: 'The client id of this service at the provider.',
  }),
  issuer: nullable(
    text(redirectUriCharactersMax, { description: 'For `oidc.*`: the issuer, exactly as in its ID tokens.' }),
  ),
  tenant: nullable(
    Type.String({
      ...pattern(
        '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$',
        'common, organizations, consumers, or the id or domain of a directory',
      ),
      description:
        'For `microsoft.com`: `common`, `organizations`, `consumers`, or the id or domain of one directory. `common` by default.',
    }),
  ),
  teamId: nullable(Type.String({ ...appleId, description: 'For `apple.com`: the team id.' })),
  keyId: nullable(Type.String({ ...appleId, description: 'For `apple.com`: the id of the signing key.' })),
};
export const IdentityProviderBody = Type.Object({
  providerId: IdentityProviderId,
  name: text(nameCharactersMax, { charactersMin: 1, description: 'The name on the login page.' }),
  ...providerMembers,
  hasSecret: Type.Boolean({ description: 'Whether a client secret or private key is stored. It is never shown.' }),
  redirectUri: Type.String({ description: 'The redirect URI to register at the provider.' }),
  createdAt: Time,
  updatedAt: Time,
});
export type IdentityProviderBody = Type.Static<typeof IdentityProviderBody>;
export const IdentityProviderListBody = Type.Object({
  items: Type.Array(IdentityProviderBody, { description: 'All providers.' }),
});
export const ReplaceIdentityProviderBody = Type.Object(
  {
    clientId: providerMembers.clientId,
    name: Type.Optional(
      nullable(text(nameCharactersMax, { charactersMin: 1, description: 'For `oidc.*`: the name on the login page.' })),
    ),
    clientSecret: Type.Optional(
      nullable(
        text(clientSecretCharactersMax, {
          charactersMin: 1,
          description: 'If omitted, the stored secret stays; null removes it, for `oidc.*`.',
        }),
      ),
    ),
    privateKey: Type.Optional(
      text(clientSecretCharactersMax, {
        charactersMin: 1,
        description: 'For `apple.com`, instead of a client secret: the content of the `.p8` file.',
      }),
    ),
    issuer: Type.Optional(providerMembers.issuer),
    tenant: Type.Optional(providerMembers.tenant),
    teamId: Type.Optional(providerMembers.teamId),
    keyId: Type.Optional(providerMembers.keyId),
  },
  {
    description:
      'Settings of an identity provider. Fields that do not apply to the provider are ignored. `oidc.*` needs `issuer`; `apple.com` needs `teamId`, `keyId` and `privateKey`; the others need `clientSecret`. A stored secret can be omitted.',
  },
);
export type ReplaceIdentityProviderBody = Type.Static<typeof ReplaceIdentityProviderBody>;
export const UserBody = Type.Object(
  {
    userId: UserId,
    email: nullable(
      Type.String({ description: 'Confirmed if `providers` has `password`; otherwise as reported by a provider.' }),
    ),
    name: nullable(Type.String({ description: 'As given by a provider or the user.' })),
    providers: Type.Array(Type.String(), { description: '`password`, or the providers that the user signs in with.' }),
    createdAt: Time,
  },
  { description: 'A user of the built-in identity provider.' },
);
export const UserListBody = page(UserBody, 'The users, newest first.');
export type UserListBody = Type.Static<typeof UserListBody>;
