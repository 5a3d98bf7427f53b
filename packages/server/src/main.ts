/** The composition root: the only place that knows which store runs and who is given what. */
import { createAuthenticator } from './access/authenticate.ts';
import { createAuthorizer } from './access/authorize.ts';
import { createExistence } from './access/existence.ts';
import { createLimits } from './access/limits.ts';
import { createSealer, loadOrCreateSecretKey } from './access/secrets.ts';
import { type Config, defaultBaseUrl } from './config.ts';
import { createBodyReader } from './http/body.ts';
import { createCors } from './http/cors.ts';
import type { Handlers } from './http/exchange.ts';
import { type Listener, listen } from './http/listener.ts';
import { createPipeline } from './http/pipeline.ts';
import { createRouter } from './http/router.ts';
import { managementHandlers } from './http/routes/management.ts';
import { publicStateHandlers } from './http/routes/public-state.ts';
import { serviceHandlers } from './http/routes/service.ts';
import { type SignInParts, signInHandlers } from './http/routes/sign-in.ts';
import { userStateHandlers } from './http/routes/user-state.ts';
import { createTurns } from './http/turns.ts';
import { createIdTokenVerifier } from './identity/id-token.ts';
import { newAccount } from './management/accounts.ts';
import { type AccessTokens, createAccessTokens } from './oauth/access-token.ts';
import { createAuthorize } from './oauth/authorize.ts';
import { createClients } from './oauth/clients.ts';
import { createSigningKeys } from './oauth/signing-keys.ts';
import { startSignInSweep } from './oauth/sweep.ts';
import { createTokenEndpoint } from './oauth/token.ts';
import { createLog, type Log } from './observe/log.ts';
import { createEvaluator } from './state/evaluator.ts';
import { createPublicStates } from './state/public-state.ts';
import { createUserStates } from './state/user-state.ts';
import { openSqliteStore } from './storage/sqlite/store.ts';
import type { Store } from './storage/store.ts';

/** What parsing bodies may take of one turn of the event loop. */
const parsingMillisecondsMax = 0.5;

/** A service that answers requests. */
export interface Running {
  /** Prefix of every address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly store: Store;
  readonly accessTokens: AccessTokens;
  readonly log: Log;
  /** Finishes what is in flight within 10 s, then closes the store. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Opens another store than the one that the configuration names. */
  readonly openStore?: () => Promise<Store>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Starts the service: opens the store, then listens. Rejects, having released everything, when either cannot be had. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<Running> {
  const log = createLog(config.logLevel);
  const store = await (options.openStore ?? (() => openSqliteStore({ dataDir: config.dataDir })))();
  try {
    return await serveFrom(store, config, log, options.now ?? Date.now);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serveFrom(store: Store, config: Config, log: Log, now: () => number): Promise<Running> {
  let baseUrl = config.baseUrl;
  const issuer = () => baseUrl as string;

  const sealer = createSealer(config.secretKey ?? loadOrCreateSecretKey(config.dataDir), 'signing-key');
  const signingKeys = createSigningKeys({ store, seal: sealer.seal, open: sealer.open, now });
  await signingKeys.current(); // a secret key that does not fit stops the start, not the first sign-in
  const accessTokens = createAccessTokens({ signingKeys, issuer, now });
  const existence = createExistence(store);
  const authenticator = createAuthenticator({
    store,
    existence,
    verifyAccessToken: (token) => accessTokens.verify(token),
    now,
  });
  const bodies = createBodyReader(config.bodyTimeoutSeconds, () => performance.now());
  const turns = createTurns(parsingMillisecondsMax, () => performance.now());
  const evaluator = createEvaluator({ inTurn: turns.run, bodyBytesMax: config.requestSizeLimitBytes });

  const others: Handlers = {
    ...publicStateHandlers(createPublicStates(store, evaluator, now)),
    ...userStateHandlers(createUserStates(store, evaluator, now), store),
    ...signInHandlers(createSignIn({ store, config, log, accessTokens, issuer, now })),
    ...managementHandlers(store, now),
  };
  const handlers = { ...others, ...serviceHandlers({ store, signingKeys, baseUrl: issuer, others }) };
  const onFault = (error: unknown) => log.warn({ error }, 'expired sign-ins could not be cleared away');
  const stopSweep = startSignInSweep({ store, now, onFault });
  let listener: Listener | undefined;
  const pipeline = createPipeline({
    router: createRouter(handlers),
    authenticator,
    authorizer: createAuthorizer(existence),
    limits: createLimits({
      credentialPerMinute: config.rateLimitPerMinute,
      addressPerMinute: config.authRateLimitPerMinute,
      trustedProxies: config.trustProxy,
      now,
    }),
    bodies,
    turns,
    cors: createCors(config.corsOrigins),
    log,
    requestBytesMax: config.requestSizeLimitBytes,
    isStopping: () => listener?.isStopping() ?? false,
  });
  listener = await listen(config.host, config.port, pipeline);
  baseUrl ??= defaultBaseUrl(config.host, listener.address.port);

  const { stop } = listener;
  return {
    baseUrl,
    store,
    accessTokens,
    log,
    stop: async () => {
      await stop();
      bodies.close();
      await evaluator.close();
      stopSweep();
      await authenticator.close();
      await store.close();
    },
  };
}

interface SignInOptions {
  readonly store: Store;
  readonly config: Config;
  readonly log: Log;
  readonly accessTokens: AccessTokens;
  readonly issuer: () => string;
  readonly now: () => number;
}

/** The parts of sign-in. Without an identity provider everything is there but the way in. */
function createSignIn({ store, config, log, accessTokens, issuer, now }: SignInOptions): SignInParts {
  const { idpIssuer, idpAudience, idpTenantClaim: tenantClaim, idpProviderClaim: providerClaim } = config;
  const onUnavailable = (error: unknown) => log.warn({ error }, 'the identity provider is unavailable');
  const idTokens =
    idpIssuer === undefined || idpAudience === undefined
      ? noIdentityProvider
      : createIdTokenVerifier({ issuer: idpIssuer, audience: idpAudience, tenantClaim, providerClaim, now, onUnavailable });
  const clients = createClients({ store, developerRedirectUris: config.developerRedirectUris });
  const { developerSignup, accessTokenSeconds, refreshReplayGraceSeconds } = config;
  return {
    store,
    clients,
    authorize: createAuthorize({
      store,
      clients,
      idTokens,
      developerSignup,
      newAccount: (name) => newAccount(name, now()),
      issuer,
      now,
    }),
    exchangeToken: createTokenEndpoint({
      store,
      clients,
      accessTokens,
      accessTokenSeconds,
      refreshReplayGraceSeconds,
      now,
    }),
    baseUrl: issuer,
    authFrontUrl: () => config.authFrontUrl ?? issuer(),
  };
}

const noIdentityProvider = {
  issuer: '',
  verify: async () => ({ kind: 'rejected', reason: 'no identity provider is configured' }) as const,
};
