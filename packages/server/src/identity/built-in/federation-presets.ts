/**
 * What is particular about each identity provider. A user is identified by issuer and subject. An email address counts as verified only
 * when the provider says so, and never identifies a user.
 */
import type { JWTPayload } from 'jose';
import type { IdentityProviderSettings } from '../../storage/federation-store.ts';
import { type AppleKey, appleClientSecret, appleIssuer, appleName } from './federation-apple.ts';
import { readEmail, readName, type UpstreamProfile } from './upstream-profile.ts';

/** A provider that speaks OpenID Connect. */
export interface OidcPreset {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly scope: string;
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The client secret, made of what is stored. */
  readonly clientSecret: (stored: string, nowMs: number) => Promise<string>;
  /** Returns the profile in the claims. `user` is the parameter of that name beside the code, which proves nothing. */
  readonly profile: (claims: JWTPayload, user: string | null) => UpstreamProfile;
}

/** GitHub, which speaks OAuth 2.0 and has an API for the rest. */
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

/** Returns what is particular about a provider, or undefined for an unknown one, or one whose settings are incomplete. */
export function presetOf(providerId: string, settings: IdentityProviderSettings): Preset | undefined {
  const { issuer, tenant, teamId, keyId, clientId } = settings;
  switch (providerId) {
    case 'google.com':
      return oidc('https://accounts.google.com');
    case 'microsoft.com':
      // Their `email` is what the administrator of a tenant has entered: only `xms_edov` says that it was verified.
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

/** Apple says it in a string. */
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

/** When name or address is asked for, Apple responds with a posted form. The name comes once, beside the first token. */
function apple(key: AppleKey): OidcPreset {
  return {
    ...oidc(appleIssuer),
    scope: 'openid email name',
    parameters: { response_mode: 'form_post' },
    clientSecret: (privateKey, nowMs) => appleClientSecret(key, privateKey, nowMs),
    profile: (claims, user) => ({ ...profileOf(claims, claimed), name: readName(appleName(user)) }),
  };
}

/** Issuer and subject together identify a user: Microsoft's `sub` is of one person and one client, its issuer of one tenant. */
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
