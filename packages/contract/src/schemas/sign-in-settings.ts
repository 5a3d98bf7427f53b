/** Records of how a project signs people in. */
import Type from 'typebox';
import { redirectUriCharactersMax, redirectUrisMax } from '../limits.ts';
import { Name, nullable, set, text } from './parts.ts';

const Colour = nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'An sRGB colour, `#rrggbb`.' }));
const AllowedIdps = set(
  Type.String({
    pattern: '^(?:password|google\\.com|apple\\.com|github\\.com|microsoft\\.com|oidc\\.[A-Za-z0-9._-]{1,64})$',
  }),
  { maxItems: 32, description: 'Ways to sign in that the project allows, in Identity Platform names.' },
);
const branding = {
  logoData: nullable(Type.String({ description: 'The logo, base64.' })),
  logoMediaType: nullable(Type.Enum(['image/png', 'image/jpeg', 'image/webp'])),
  primaryColor: Colour,
  surfaceColor: Colour,
  bgColor: Colour,
};
export const EndUserAuthConfigBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether end users can sign in to this project.' }),
  redirectUris: set(text(redirectUriCharactersMax, { charactersMin: 1 }), {
    maxItems: redirectUrisMax,
    description: 'Where sign-in may return to; compared exactly.',
  }),
  allowedIdps: AllowedIdps,
  ...branding,
});
export type EndUserAuthConfigBody = Type.Static<typeof EndUserAuthConfigBody>;
export const PublicAuthConfigBody = Type.Object({
  clientId: Type.String({ description: 'The client id of the project: `{accountId}.{slug}`.' }),
  projectName: Name,
  ...branding,
  allowedIdps: AllowedIdps,
});

export const AuthorizeContextBody = Type.Object({
  flow: Type.Enum(['developer', 'end_user'], { description: 'Which of the two kinds of client asked.' }),
  project_name: nullable(Name),
  logo_data: branding.logoData,
  logo_media_type: branding.logoMediaType,
  primary_color: Colour,
  surface_color: Colour,
  bg_color: Colour,
  allowed_idps: AllowedIdps,
  idp_tenant_id: nullable(
    Type.String({ description: 'The tenant in which the end user has to sign in; null for developers.' }),
  ),
});
