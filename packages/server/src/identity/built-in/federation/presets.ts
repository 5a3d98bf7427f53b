/**
 * How the identity providers differ. A user is identified by issuer and subject. An email address counts as verified only if the provider
 * says so, and never identifies a user.
 */
import { type IdentityProviderSettings, knownProviderName, otherProviderPrefix } from '@holdfast/contract';
import type { JWTPayload } from 'jose';
import { type Connection, connect, type NetworkAccess, type Tokens } from '../../upstream-client.ts';
import { type AppleKey, appleClientSecret, appleIssuer, appleName } from './apple.ts';
import { connectGitHub, gitHubScope, readGitHubProfile } from './github.ts';
import { readEmail, readName, type UpstreamProfile } from './upstream-profile.ts';

/** The client that an account has registered at a provider. */
interface PresetClient {
  readonly clientId: string;
  /** Its secret, or what Apple's is made from; null for a public client. */
  readonly stored: string | null;
  readonly network: NetworkAccess;
  readonly now: () => number;
}

/** How to use a provider. */
export interface Preset {
  /** The issuer with the provider's metadata; null if it has none. */
  readonly issuer: string | null;
  /** Parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly connect: (client: PresetClient) => Promise<Connection>;
  /**
   * Returns the profile of the tokens' user; rejects if they name none. `user` is the parameter that Apple sends with the code; it proves
   * nothing.
   */
  readonly readProfile: (tokens: Tokens, connection: Connection, user: string | null) => Promise<UpstreamProfile>;
}

/** Returns the display name of a provider. */
export function providerName(providerId: string, { name }: Pick<IdentityProviderSettings, 'name'>): string {
  return knownProviderName(providerId) ?? name ?? providerId.slice(otherProviderPrefix.length);
}

/** Returns the preset of a provider; undefined if it is unknown or its settings are incomplete. */
export function presetOf(providerId: string, settings: IdentityProviderSettings): Preset | undefined {
  const { issuer, tenant, teamId, keyId, clientId } = settings;
  switch (providerId) {
    case 'google.com':
      return oidc('https://accounts.google.com');
    case 'microsoft.com':
      // `email` is whatever the tenant's administrator entered. Only `xms_edov` says that it was verified.
      return oidc(`https://login.microsoftonline.com/${tenant ?? 'common'}/v2.0`, {
        profile: (claims) =>
          profileOf(claims, ({ xms_edov: isVerified }) => [true, 1, '1', 'true'].includes(isVerified as string)),
      });
    case 'apple.com':
      return teamId === null || keyId === null ? undefined : apple({ clientId, teamId, keyId });
    case 'github.com':
      return gitHub;
    default:
      return issuer === null ? undefined : oidc(issuer);
  }
}

/** Twice the limit of OpenID Connect. */
const subjectCharactersMax = 512;

type SaysVerified = (claims: JWTPayload) => boolean;

/** Apple sends it as a string. */
const claimed: SaysVerified = ({ email_verified: verified }) => verified === true || verified === 'true';

/** How an OpenID Connect provider differs from others. */
interface OidcDifferences {
  readonly parameters?: Readonly<Record<string, string>>;
  /** Returns the client secret, made from the stored settings. */
  readonly clientSecret?: (stored: string, nowMs: number) => Promise<string>;
  readonly profile?: (claims: JWTPayload, user: string | null) => UpstreamProfile;
}

function oidc(issuer: string, differences: OidcDifferences = {}): Preset {
  const {
    parameters,
    clientSecret = async (stored) => stored,
    profile = (claims) => profileOf(claims, claimed),
  } = differences;
  return {
    issuer,
    parameters: { scope: 'openid email profile', ...parameters },
    async connect({ clientId, stored, network, now }) {
      const secret = stored === null ? null : await clientSecret(stored, now());
      return connect({ issuer, clientId, secret }, network, now);
    },
    async readProfile(tokens, _, user) {
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the provider sent no ID token');
      if (claims.sub === '' || claims.sub.length > subjectCharactersMax) throw new Error('the ID token has no subject');
      return profile(claims, user);
    },
  };
}

/** If name or address is requested, Apple responds with a posted form. The name is sent once, with the first token. */
function apple(key: AppleKey): Preset {
  return oidc(appleIssuer, {
    parameters: { scope: 'openid email name', response_mode: 'form_post' },
    clientSecret: (privateKey, nowMs) => appleClientSecret(key, privateKey, nowMs),
    profile: (claims, user) => ({ ...profileOf(claims, claimed), name: readName(appleName(user)) }),
  });
}

/** GitHub speaks OAuth 2.0, and serves user data over its API. */
const gitHub: Preset = {
  issuer: null,
  parameters: { scope: gitHubScope },
  connect: ({ clientId, stored, network }) => connectGitHub(clientId, stored ?? '', network),
  readProfile: ({ access_token: accessToken }, { configuration }) => readGitHubProfile(configuration, accessToken),
};

/** Issuer and subject together identify a user: Microsoft's `sub` is specific to a person and a client, its issuer to a tenant. */
function profileOf(claims: JWTPayload, saysVerified: SaysVerified): UpstreamProfile {
  const email = readEmail(claims.email);
  return {
    issuer: claims.iss as string,
    subject: claims.sub as string,
    email,
    emailVerified: email !== null && saysVerified(claims),
    name: readName(claims.name),
  };
}
