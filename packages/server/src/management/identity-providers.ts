/** The identity providers of an account. Their secrets are write-only. */

import { createPrivateKey } from 'node:crypto';
import {
  type IdentityProviderBody,
  type IdentityProviderSettings,
  identityProviderIdPattern,
  identityProvidersMax,
  missingField,
  neededFields,
  providerSettings,
  type ReplaceIdentityProviderBody,
  secretFieldOf,
} from '@holdfast/contract';
import { invalidMember, noAccount, Refusal } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import type { Sealer } from '../common/secrets/sealer.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import { type IdentityProvider, type IdentityProviderKey, providerSecretRecord } from '../storage/contract/federation.ts';
import type { Store } from '../storage/store.ts';

export interface IdentityProviderParts {
  readonly store: Pick<
    Store,
    'listIdentityProviders' | 'findIdentityProvider' | 'writeIdentityProvider' | 'deleteIdentityProvider'
  >;
  /** Encrypts the secrets of providers. */
  readonly seal: Sealer['seal'];
  /** Returns a provider's name on the login page. */
  readonly nameOf: (providerId: string, settings: IdentityProviderSettings) => string;
  /** The redirect URI to register at a provider. */
  readonly redirectUri: (provider: IdentityProviderKey) => string;
  /** Returns what is wrong with an issuer's address, as the ending of a sentence. */
  readonly issuerFault: (issuer: string) => string | undefined;
}

export interface IdentityProviders {
  list(accountId: string): Promise<{ items: IdentityProviderBody[] }>;
  /** Throws `not_found`. */
  read(key: IdentityProviderKey): Promise<IdentityProviderBody>;
  /**
   * Creates or replaces, and returns the record. Throws `validation_error`, or `not_found` if the account does not exist or no provider can
   * have the id.
   */
  write(by: ChangedBy, key: IdentityProviderKey, given: ReplaceIdentityProviderBody): Promise<IdentityProviderBody>;
  /** Throws `not_found`. */
  delete(by: ChangedBy, key: IdentityProviderKey): Promise<void>;
}

/** Returns the management of identity providers. */
export function createIdentityProviders(parts: IdentityProviderParts): IdentityProviders {
  const { store } = parts;
  const body = (provider: IdentityProvider): IdentityProviderBody => ({
    providerId: provider.providerId,
    name: parts.nameOf(provider.providerId, provider.settings),
    clientId: provider.settings.clientId,
    issuer: provider.settings.issuer,
    tenant: provider.settings.tenant,
    teamId: provider.settings.teamId,
    keyId: provider.settings.keyId,
    hasSecret: provider.sealedSecret !== null,
    redirectUri: parts.redirectUri(provider),
    createdAt: formatTime(provider.createdAt),
    updatedAt: formatTime(provider.updatedAt),
  });
  return {
    list: async (accountId) => ({ items: (await store.listIdentityProviders(accountId)).map(body) }),
    async read(key) {
      const provider = await store.findIdentityProvider(key);
      if (provider === undefined) throw noProvider(key);
      return body(provider);
    },
    async write(by, key, given) {
      if (!identityProviderIdPattern.test(key.providerId)) throw noProvider(key);
      const settings = settingsOf(key.providerId, given, parts.issuerFault);
      const sealedSecret = secretOf(parts, key, settings, given, await store.findIdentityProvider(key));
      const provider = { ...key, settings, sealedSecret, writtenAt: by.at };
      const outcome = await store.writeIdentityProvider(by, provider, identityProvidersMax);
      if (outcome === 'no_account') throw noAccount(key.accountId);
      if (outcome === 'too_many') {
        throw new Refusal(
          'validation_error',
          `the account has ${identityProvidersMax} identity providers, which is the maximum`,
        );
      }
      return body(outcome);
    },
    async delete(by, key) {
      if ((await store.deleteIdentityProvider(by, key)) === 'absent') throw noProvider(key);
    },
  };
}

/** Returns the provider's own settings. Throws `validation_error` if one that it needs is missing, or the issuer is faulty. */
function settingsOf(
  providerId: string,
  given: ReplaceIdentityProviderBody,
  issuerFault: IdentityProviderParts['issuerFault'],
): IdentityProviderSettings {
  const missing = missingField(providerId, given);
  if (missing !== undefined) throw missingMember(missing, providerId);
  const settings = providerSettings(providerId, given);
  const fault = settings.issuer === null ? undefined : issuerFault(settings.issuer);
  if (settings.issuer !== null && fault !== undefined)
    throw invalidMember('issuer', `is ${quoted(settings.issuer)}, which ${fault}`);
  return settings;
}

const missingMember = (member: string, providerId: string): Refusal =>
  invalidMember(member, `is missing; ${providerId} needs it`);

/**
 * Returns the secret to store, sealed for its issuer. A stored secret stays with the issuer that it was given for: otherwise whoever can
 * change settings could have it sent to an address of theirs.
 */
function secretOf(
  { seal }: IdentityProviderParts,
  key: IdentityProviderKey,
  settings: IdentityProviderSettings,
  body: ReplaceIdentityProviderBody,
  present: IdentityProvider | undefined,
): Uint8Array | null | 'keep' {
  const member = secretFieldOf(key.providerId);
  const isPublicAllowed = !neededFields(key.providerId).includes(member);
  const given = body[member];
  if (given === null && isPublicAllowed) return null;
  if (given != null) {
    if (member === 'privateKey') checkAppleKey(given);
    return seal(Buffer.from(given), providerSecretRecord(key, settings.issuer));
  }
  if (present?.sealedSecret == null) {
    if (isPublicAllowed) return null;
    throw missingMember(member, key.providerId);
  }
  if (present.settings.issuer !== settings.issuer) {
    throw invalidMember(member, 'is missing; the stored one was given for another issuer (null takes it away)');
  }
  return 'keep';
}

/** Apple's keys are PKCS #8 in PEM, on the curve P-256. */
function checkAppleKey(pem: string): void {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({ key: pem, format: 'pem' });
    const isFit = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
    if (isFit && pem.includes('-----BEGIN PRIVATE KEY-----')) return;
  } catch {
    // Not a key. The library's message could reveal part of it.
  }
  throw invalidMember('privateKey', 'is not a P-256 key in PKCS #8, such as the .p8 file from Apple');
}

const noProvider = ({ providerId }: IdentityProviderKey): Refusal =>
  new Refusal('not_found', `the account has no identity provider ${quoted(providerId)}`);
