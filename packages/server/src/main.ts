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
import { createTurns } from './http/turns.ts';
import { type AccessTokens, createAccessTokens } from './oauth/access-token.ts';
import { createSigningKeys } from './oauth/signing-keys.ts';
import { createLog, type Log } from './observe/log.ts';
import { createPublicStates } from './state/public-state.ts';
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

  const handlers: Handlers = {
    ...publicStateHandlers(createPublicStates(store, now)),
    ...managementHandlers(store, now),
    ...serviceHandlers(store, signingKeys, issuer),
  };
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
    turns: createTurns(parsingMillisecondsMax, () => performance.now()),
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
      await authenticator.close();
      await store.close();
    },
  };
}
