/** Records of identity providers and users. */
import Type from 'typebox';
import { identityProviderIdPattern } from '../identifiers.ts';
import {
  clientIdCharactersMax,
  clientSecretCharactersMax,
  nameCharactersMax,
  redirectUriCharactersMax,
} from '../limits.ts';
import { nullable, page, Time, text, UserId } from './fields.ts';
import { appleIdPattern, tenantPattern } from './patterns.ts';

export const IdentityProviderId = Type.String({
  pattern: identityProviderIdPattern.source,
  description: 'The name of the provider in `allowedIdps`: one that is known, or `oidc.` and a name of your choice.',
});
const providerMembers = {
  clientId: text(clientIdCharactersMax, { charactersMin: 1, description: 'How the provider knows this service.' }),
  issuer: nullable(
    text(redirectUriCharactersMax, { description: 'Of `oidc.*`: the issuer, exactly as its ID tokens name it.' }),
  ),
  tenant: nullable(
    Type.String({
      pattern: tenantPattern,
      description:
        'Of `microsoft.com`: `common`, `organizations`, `consumers`, or the id or domain of one directory. `common` by default.',
    }),
  ),
  teamId: nullable(Type.String({ pattern: appleIdPattern, description: 'Of `apple.com`: the team.' })),
  keyId: nullable(Type.String({ pattern: appleIdPattern, description: 'Of `apple.com`: the key that signs.' })),
};
export const IdentityProviderBody = Type.Object({
  providerId: IdentityProviderId,
  name: text(nameCharactersMax, { charactersMin: 1, description: 'What the login page calls it.' }),
  ...providerMembers,
  hasSecret: Type.Boolean({ description: 'Whether a client secret or private key is stored. It is never shown.' }),
  redirectUri: Type.String({ description: 'What to register at the provider.' }),
  createdAt: Time,
  updatedAt: Time,
});
export type IdentityProviderBody = Type.Static<typeof IdentityProviderBody>;
export const IdentityProviderListBody = Type.Object({
  items: Type.Array(IdentityProviderBody, { description: 'All of them.' }),
});
export const ReplaceIdentityProviderBody = Type.Object(
  {
    clientId: providerMembers.clientId,
    name: Type.Optional(
      nullable(text(nameCharactersMax, { charactersMin: 1, description: 'Of `oidc.*`: what the login page calls it.' })),
    ),
    clientSecret: Type.Optional(
      nullable(
        text(clientSecretCharactersMax, {
          charactersMin: 1,
          description: 'Without it the stored one stays; null, for `oidc.*`, takes it away.',
        }),
      ),
    ),
    privateKey: Type.Optional(
      text(clientSecretCharactersMax, {
        charactersMin: 1,
        description: 'Of `apple.com`, in place of a client secret: the text of the `.p8` file.',
      }),
    ),
    issuer: Type.Optional(providerMembers.issuer),
    tenant: Type.Optional(providerMembers.tenant),
    teamId: Type.Optional(providerMembers.teamId),
    keyId: Type.Optional(providerMembers.keyId),
  },
  {
    description:
      'Settings of an identity provider. Members that do not belong to the provider are ignored. `oidc.*` needs `issuer`; `apple.com` needs `teamId`, `keyId` and `privateKey`; the others need `clientSecret`. A secret that is stored already can be left out.',
  },
);
export type ReplaceIdentityProviderBody = Type.Static<typeof ReplaceIdentityProviderBody>;
export const UserBody = Type.Object(
  {
    userId: UserId,
    email: nullable(Type.String({ description: 'Confirmed where `providers` has `password`; else what a provider said.' })),
    name: nullable(Type.String({ description: 'What a provider, or the user, said.' })),
    providers: Type.Array(Type.String(), { description: '`password`, or the providers that the user comes through.' }),
    createdAt: Time,
  },
  { description: 'A user of the built-in identity provider.' },
);
export const UserListBody = page(UserBody, 'The users, newest first.');
export type UserListBody = Type.Static<typeof UserListBody>;
