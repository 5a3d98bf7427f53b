/**
 * Wires up sign-in: the OAuth endpoints, the login pages, and the identity provider behind them. The parts for signing in are loaded with
 * the first request: a process whose users are all signed in keeps none of them in memory.
 */

import { hkdfSync } from 'node:crypto';
import { guestGrantType } from '@holdfast/contract';
import { createMemberships, type Memberships } from '../access/memberships.ts';
import { mapAwaitable } from '../common/async/awaitable.ts';
import { loadable, memoised } from '../common/async/memoised.ts';
import { hashIfSecret } from '../common/secrets/secret-text.ts';
import type { Handlers } from '../http/operation-request.ts';
import type { Pipeline } from '../http/pipeline.ts';
import { identityManagementHandlers } from '../http/routes/identity-management.ts';
import { identityHandlers, signInHandlers } from '../http/routes/sign-in.ts';
import { signInSettingsHandlers } from '../http/routes/sign-in-settings.ts';
import { createIdTokenVerifier } from '../identity/id-token.ts';
import { createNewGuests } from '../limits/new-guests.ts';
import { loginHandlers } from '../login/handlers.ts';
import type { SignInProvider } from '../login/login-dependencies.ts';
import { forgetInvitation } from '../login/session/carried-invitation.ts';
import { createLoginCookies } from '../login/session/cookies.ts';
import { createRememberedSignIns } from '../login/session/remembered-sign-ins.ts';
import { newAccount } from '../management/accounts.ts';
import { createCodeGrant } from '../oauth/authorization-code.ts';
import { type Authorize, type AuthorizeOptions, createAuthorize } from '../oauth/authorize.ts';
import { createServiceAccountGrant } from '../oauth/client-credentials.ts';
import { createClients, developerRedirectUris } from '../oauth/clients.ts';
import { createGuestGrant } from '../oauth/guest-grant.ts';
import { createGuestLink } from '../oauth/guest-link.ts';
import { createRefreshGrant } from '../oauth/refresh.ts';
import { createSecretChain } from '../oauth/refresh-token-text.ts';
import { createRejectedParameters, reportRejectedParameters } from '../oauth/rejected-parameters.ts';
import { createRevocation } from '../oauth/revocation.ts';
import type { SigningKeys } from '../oauth/signing-keys.ts';
import { createTokenEndpoint } from '../oauth/token.ts';
import { tracedFetch } from '../observe/trace-context.ts';
import { createGuestNonces } from '../players/guest-nonces.ts';
import { createGuests, type Guests } from '../players/guest-proof.ts';
import { createOwnData } from '../players/me.ts';
import type { UserStateRetentions } from '../state/user-state-retention.ts';
import { builtInIssuerName } from '../storage/contract/identity.ts';
import type { Access } from './access.ts';
import type { BuiltInIdentity } from './identity.ts';
import type { Mails } from './mails.ts';
import { type Part, sealerOf, type Wiring } from './wiring.ts';

interface SignInWiring extends Wiring {
  readonly access: Access;
  readonly retentions: UserStateRetentions;
  readonly mails: Mails;
}

export interface SignIn extends Part {
  /** How refusals look on the login pages. */
  readonly faultPage: Pipeline['faultPage'];
  readonly authNonce: Pipeline['authNonce'];
  readonly guests: Pick<Guests, 'prove'>;
}

/**
 * Returns all of sign-in. The callback accepts ID tokens of one issuer: the configured one, or the built-in one. When closed, mails being sent
 * have a little time, and when developers were last seen is stored.
 */
export function createSignIn(wiring: SignInWiring): SignIn {
  const { store, config, access, baseUrl, authFrontUrl, now, disposal } = wiring;
  const { accessTokens, idTokenKeys: keys } = access;
  const builtIn = config.idpIssuer === undefined ? createBuiltIn({ ...wiring, keys }) : undefined;
  const { developerSignup, refreshIdleDays } = config;
  const urisOfDevelopers = () => developerRedirectUris(config.developerRedirectUris, config.console === 'on', baseUrl());
  const clients = createClients({ store, developerRedirectUris: urisOfDevelopers, refreshIdleDays });
  const rejectedParameters = createRejectedParameters(now);
  const idTokens = builtIn?.verifier ?? outsideVerifier(wiring);
  const memberships = createMemberships(store, idTokens.issuer, now);
  const authorize = createAuthorize({
    store,
    clients,
    onRejectedParameter: reportRejectedParameters(rejectedParameters, (fields, message) => {
      if (wiring.observation.admitsFault('rejected_parameters')) wiring.log.warn(fields, message);
    }),
    idTokens,
    developerSignup,
    isOutsideIssuer: builtIn === undefined,
    onDeveloper: memberships.note,
    newAccount: (name) => newAccount(name, now()),
    issuer: baseUrl,
    now,
  });
  const { guests, nonces } = createGuestParts(wiring);
  const grants = createGrants(wiring, { guests, memberships });
  const signIns = wiring.observation.metrics?.signIns;
  const exchangeToken = createTokenEndpoint(clients, grants, (grantType, error) => signIns?.exchanged(grantType, error));
  const loadProviders = memoised(async () => (await import('./federation.ts')).createProviderManagement(wiring));
  disposal.add('the times of developers', () => memberships.close());
  return {
    handlers: {
      ...signInHandlers({
        store,
        authorize,
        forgetInvitation: (...of) => forgetInvitation(createLoginCookies(authFrontUrl()), ...of),
        exchangeToken,
        authNonce: nonces.current,
        revoke: createRevocation({ store, accessTokens, clients, now }),
        baseUrl,
        authFrontUrl,
        now,
      }),
      ...signInSettingsHandlers({
        store,
        clients,
        rejectedParameters,
        allowsMailWords: config.mailTexts === 'allowed',
        configuredProviders: async (accountId) =>
          builtIn && (await store.listIdentityProviders(accountId)).map(({ providerId }) => providerId),
      }),
      ...createLogin({ ...wiring, idTokens, authorize, loadBuiltIn: builtIn?.load }),
      ...(builtIn && identityHandlers(async () => (await builtIn.load()).idTokens)),
      ...identityManagementHandlers({ store, loadProviders }),
    },
    faultPage: async (reply, request) => {
      const { faultPageReply } = await import('../login/page-reply.ts');
      return faultPageReply(reply, request, new URL(authFrontUrl()).pathname.replace(/\/$/, ''));
    },
    authNonce: nonces.current,
    guests,
  };
}

interface GrantParts {
  readonly guests: Guests;
  readonly memberships: Memberships;
}

/** Returns the grants of the token endpoint by their names. */
function createGrants(wiring: SignInWiring, { guests, memberships }: GrantParts) {
  const { store, config, access, now } = wiring;
  const { accessTokens, projectCache } = access;
  const { accessTokenSeconds, refreshReplayGraceSeconds } = config;
  const tokenParts = { store, accessTokens, accessTokenSeconds, now };
  return {
    [guestGrantType]: createGuestGrant({ ...tokenParts, guests, accessOf: access.playerEndings.accessOf }),
    authorization_code: createCodeGrant({ ...tokenParts, redeemLinking: createGuestLink({ ...tokenParts, guests }) }),
    refresh_token: createRefreshGrant({
      ...tokenParts,
      secretChain: createSecretChain(wiring.secretKeys),
      projectCreatedAt: (key) => mapAwaitable(projectCache.findProject(key), (project) => project?.createdAt),
      refreshReplayGraceSeconds,
      admitsDeveloper: memberships.admits,
    }),
    client_credentials: createServiceAccountGrant({ ...tokenParts, serviceAccountUses: access.serviceAccountUses }),
  };
}

interface BuiltIn {
  load(): Promise<BuiltInIdentity>;
  readonly verifier: AuthorizeOptions['idTokens'];
}

function createBuiltIn(wiring: Wiring & { readonly keys: SigningKeys; readonly mails: Mails }): BuiltIn {
  const { load, ifLoaded } = loadable(async () => {
    const { createBuiltInIdentity } = await import('./identity.ts');
    return createBuiltInIdentity({ ...wiring, mails: await wiring.mails.load() });
  });
  wiring.disposal.addSettling('the built-in identity provider', () => ifLoaded((identity) => identity.settled()));
  return {
    load,
    verifier: { issuer: builtInIssuerName, verify: async (idToken) => (await load()).verifier.verify(idToken) },
  };
}

function outsideVerifier({ config, log, now }: Wiring): AuthorizeOptions['idTokens'] {
  const { idpIssuer, idpAudience, idpTenantClaim: tenantClaim, idpProviderClaim: providerClaim } = config;
  if (idpIssuer === undefined || idpAudience === undefined) throw new TypeError('SVC_IDP_ISSUER needs SVC_IDP_AUDIENCE');
  const onUnavailable = (error: unknown) => log.warn({ error }, 'the identity provider is unavailable');
  return createIdTokenVerifier({
    issuer: idpIssuer,
    audience: idpAudience,
    tenantClaim,
    providerClaim,
    isEmailAssumedVerified: config.idpEmailVerified === 'assumed',
    now,
    fetch: tracedFetch,
    onUnavailable,
  });
}

interface LoginWiring extends Wiring, Pick<SignInWiring, 'retentions'> {
  readonly idTokens: AuthorizeOptions['idTokens'];
  readonly authorize: Authorize;
  /** Undefined if an outside issuer is configured. */
  readonly loadBuiltIn: BuiltIn['load'] | undefined;
}

/** Returns the handlers of the login pages. */
function createLogin(wiring: LoginWiring): Handlers {
  const { config, secretKeys, authorize, baseUrl, store, now } = wiring;
  return loginHandlers({
    authorize,
    baseUrl,
    authFrontUrl: wiring.authFrontUrl,
    csrfKeys: secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'holdfast login form', 32))),
    developerSignup: config.developerSignup,
    findInvitation: async (token) => {
      const hash = hashIfSecret(token);
      return hash && (await store.findInvitation(hash, now()));
    },
    accountsOf: async (idToken) => {
      const person = await wiring.idTokens.verify(idToken);
      if (person.kind === 'rejected') return [];
      const memberships = await store.listMemberships(wiring.idTokens.issuer, person.subject);
      return memberships.map(({ account: { accountId, name }, member: { role } }) => ({ accountId, name, role }));
    },
    rememberedSignIns: createRememberedSignIns({
      ...sealerOf(wiring, 'signed-in'),
      findUser: async (userId) => store.findUser(null, userId),
      now,
    }),
    playerData: createOwnData({ store, retention: wiring.retentions.of, now }),
    legal: { terms: config.termsUrl, privacy: config.privacyUrl },
    now,
    loadProvider: () => loadProvider(wiring),
  });
}

async function loadProvider(wiring: LoginWiring): Promise<SignInProvider> {
  const { createConfiguredHandOver, createOtherMethods } = await import('./federation.ts');
  const builtIn = await wiring.loadBuiltIn?.();
  return builtIn === undefined
    ? { kind: 'outside', handOver: createConfiguredHandOver(wiring) }
    : { kind: 'built_in', ...builtIn, ...createOtherMethods(wiring) };
}

/** Returns guests, and the nonces that they sign. */
function createGuestParts({ store, config, secretKeys, baseUrl: audience, now }: Wiring) {
  const nonces = createGuestNonces(secretKeys, now);
  const newGuests = createNewGuests({ store, countMax: config.guestsPerHour, now });
  return { nonces, guests: createGuests({ store, nonces, newGuests, audience }) };
}
