/** Wires up passkeys, federation and the management of providers. */
import {
  type ConfiguredProvider,
  createFederation,
  developersAccountId,
  type Federation,
} from '../identity/built-in/federation/federation.ts';
import { providerName } from '../identity/built-in/federation/presets.ts';
import { createPasskeys, type Passkeys } from '../identity/built-in/passkeys.ts';
import { createHandOver, type HandOver } from '../identity/hand-over.ts';
import { issuerFault } from '../identity/provider-keys.ts';
import { createIdentityProviders, type IdentityProviders } from '../management/identity-providers.ts';
import { traced, tracedFetch } from '../observe/trace-context.ts';
import { createSealer } from '../secrets/sealer.ts';
import type { IdentityProviderKey } from '../storage/contract/federation.ts';
import { reachOfProviders } from './provider-reach.ts';
import { sealerOf, type Wiring } from './wiring.ts';

const secretSealer = ({ secretKeys }: Wiring) => createSealer(secretKeys, 'identity-provider');
const issuerRedirectUri = (wiring: Wiring) => `${wiring.authFrontUrl()}/authorize/federated/callback`;
const providerRedirectUri = (wiring: Wiring, { accountId, providerId }: IdentityProviderKey) =>
  `${wiring.authFrontUrl()}/authorize/federated/callback/${accountId}/${providerId}`;
/** Returns the sign-in methods of the built-in identity provider other than passwords. */
export function createOtherMethods(wiring: Wiring): { passkeys: Passkeys; federation: Federation } {
  const { store, log, now } = wiring;
  const tickets = sealerOf(wiring, 'ticket');
  const { fetch, mayUseLoopback } = reachOfProviders(wiring.config);
  return {
    passkeys: createPasskeys({ store, ...tickets, authFrontUrl: wiring.authFrontUrl, now }),
    federation: createFederation({
      store,
      developerProviders: developerProvidersOf(wiring),
      tickets,
      secrets: secretSealer(wiring),
      redirectUri: (provider) => providerRedirectUri(wiring, provider),
      mayUseLoopback: () => mayUseLoopback,
      now,
      fetch: traced(fetch),
      onFault: (providerId, fault) => log.warn({ providerId, fault }, 'a sign-in through a provider failed'),
    }),
  };
}

/** Returns the configured providers as records. Their secrets are in the configuration only. */
function developerProvidersOf({ config }: Wiring): readonly ConfiguredProvider[] {
  const providers = (config.developerProviders ?? []).map(({ providerId, secret, ...settings }) => {
    const key = { accountId: developersAccountId, providerId };
    return { ...key, settings, secret, sealedSecret: null, createdAt: 0, updatedAt: 0 };
  });
  return providers.sort((one, other) => (one.providerId < other.providerId ? -1 : 1));
}

/** Returns the hand-over to the configured issuer; throws `TypeError` if none is configured. */
export function createConfiguredHandOver(wiring: Wiring): HandOver {
  const { store, config, log, now } = wiring;
  const { idpIssuer: issuer, idpAudience: clientId, idpClientSecret, idpTenantParameter: tenantParameter } = config;
  if (issuer === undefined || clientId === undefined)
    throw new TypeError('SVC_IDP_ISSUER and SVC_IDP_AUDIENCE are missing');
  return createHandOver({
    store,
    ...sealerOf(wiring, 'ticket'),
    issuer,
    clientId,
    clientSecret: idpClientSecret ?? null,
    tenantParameter,
    redirectUri: () => issuerRedirectUri(wiring),
    now,
    fetch: tracedFetch,
    onFault: (fault) => log.warn({ fault }, 'a sign-in at the identity provider failed'),
  });
}

/** Returns the management of identity providers. */
export function createProviderManagement(wiring: Wiring): IdentityProviders {
  const { store } = wiring;
  return createIdentityProviders({
    store,
    seal: secretSealer(wiring).seal,
    nameOf: providerName,
    redirectUri: (provider) => providerRedirectUri(wiring, provider),
    issuerFault: (issuer) => issuerFault(issuer, reachOfProviders(wiring.config).mayUseLoopback),
  });
}
