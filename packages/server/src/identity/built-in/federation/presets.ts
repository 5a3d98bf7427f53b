/**
 * How the identity providers differ. A user is identified by issuer and subject. An email address counts as verified only if the provider
 * says so, and never identifies a user.
 */
import type { JWTPayload } from 'jose';
import type { IdentityProviderSettings } from '../../../storage/contract/federation.ts';
import { type AppleKey, appleClientSecret, appleIssuer, appleName } from './apple.ts';
import { readEmail, readName, type UpstreamProfile } from './upstream-profile.ts';

/** An OpenID Connect provider. */
export interface OidcPreset {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly scope: string;
  /** Additional parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Returns the client secret, made from the stored settings. */
  readonly clientSecret: (stored: string, nowMs: number) => Promise<string>;
  /** Returns the profile in the claims. `user` is the parameter that Apple sends with the code; it proves nothing. */
  readonly profile: (claims: JWTPayload, user: string | null) => UpstreamProfile;
}

/** GitHub, which speaks OAuth 2.0 and serves user data over its API. */
export interface GitHubPreset {
  readonly kind: 'github';
}

export type Preset = OidcPreset | GitHubPreset;

const presetNames: Readonly<Record<string, string>> = {
  'google.com': 'Google',
  'microsoft.com': 'Microsoft',
  'apple.com': 'Apple',
  'github.com': 'GitHub',
};

/** Returns the display name of a provider. */
export function providerName(providerId: string, { name }: Pick<IdentityProviderSettings, 'name'>): string {
  return presetNames[providerId] ?? name ?? providerId.slice('oidc.'.length);
}

/** Returns the preset of a provider; undefined if it is unknown or its settings are incomplete. */
export function presetOf(providerId: string, settings: IdentityProviderSettings): Preset | undefined {
  const { issuer, tenant, teamId, keyId, clientId } = settings;
  switch (providerId) {
    case 'google.com':
      return oidc('https://accounts.google.com');
    case 'microsoft.com':
      // `email` is whatever the tenant's administrator entered. Only `xms_edov` says that it was verified.
      return oidc(`https://login.microsoftonline.com/${tenant ?? 'common'}/v2.0`, ({ xms_edov: isVerified }) =>
        [true, 1, '1', 'true'].includes(isVerified as string),
      );
    case 'apple.com':
      return teamId === null || keyId === null ? undefined : apple({ clientId, teamId, keyId });
    case 'github.com':
      return { kind: 'github' };
    default:
      return issuer === null ? undefined : oidc(issuer);
  }
}

type SaysVerified = (claims: JWTPayload) => boolean;

/** Apple sends it as a string. */
const claimed: SaysVerified = ({ email_verified: verified }) => verified === true || verified === 'true';

function oidc(issuer: string, saysVerified: SaysVerified = claimed): OidcPreset {
  return {
    kind: 'oidc',
    issuer,
    scope: 'openid email profile',
    parameters: {},
    clientSecret: async (stored) => stored,
    profile: (claims) => profileOf(claims, saysVerified),
  };
}

/** If name or address is requested, Apple responds with a posted form. The name is sent once, with the first token. */
function apple(key: AppleKey): OidcPreset {
  return {
    ...oidc(appleIssuer),
    scope: 'openid email name',
    parameters: { response_mode: 'form_post' },
    clientSecret: (privateKey, nowMs) => appleClientSecret(key, privateKey, nowMs),
    profile: (claims, user) => ({ ...profileOf(claims, claimed), name: readName(appleName(user)) }),
  };
}

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
