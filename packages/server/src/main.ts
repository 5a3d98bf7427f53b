/** The composition root: the only place that knows who is given what. Which store runs is said in wiring/engine.ts. */
import { createAuthenticator } from './access/authenticate.ts';
import { createAuthorizer } from './access/authorize.ts';
import { createExistence } from './access/existence.ts';
import { createLimits } from './access/limits.ts';
import { createRequestMeter } from './access/quota-requests.ts';
import { createSealer, loadOrCreateSecretKey } from './access/secrets.ts';
import { type Config, defaultBaseUrl } from './config.ts';
import { createAdmission } from './http/admission.ts';
import { createBodyReader } from './http/body.ts';
import { createCors } from './http/cors.ts';
import type { Handlers } from './http/exchange.ts';
import { type Listener, listen } from './http/listener.ts';
import type { MetricsListener } from './http/metrics-listener.ts';
import { createPipeline } from './http/pipeline.ts';
import { createRouter } from './http/router.ts';
import { managementHandlers } from './http/routes/management.ts';
import { publicStateHandlers } from './http/routes/public-state.ts';
import { serviceHandlers } from './http/routes/service.ts';
import { usageHandlers } from './http/routes/usage.ts';
import { userStateHandlers } from './http/routes/user-state.ts';
import { createTurns } from './http/turns.ts';
import { type AccessTokens, createAccessTokens } from './oauth/access-token.ts';
import { createSigningKeys } from './oauth/signing-keys.ts';
import { startSignInSweep } from './oauth/sweep.ts';
import type { Log } from './observe/log.ts';
import { type LogOutput, openLogOutput } from './observe/log-output.ts';
import type { Metrics } from './observe/metrics.ts';
import { type Observation, startObservation } from './observe/observation.ts';
import { createEvaluator } from './state/evaluator.ts';
import { createPublicStates } from './state/public-state.ts';
import { createUserStates } from './state/user-state.ts';
import type { SigningPurpose, Store } from './storage/store.ts';
import { engineName, openServerStore } from './wiring/engine.ts';
import { createSignIn } from './wiring/sign-in.ts';
import type { Wiring } from './wiring/wiring.ts';

/** What parsing bodies may take of one turn of the event loop. */
const parsingMillisecondsMax = 0.5;

/** A service that answers requests. */
export interface Running {
  /** Prefix of every address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly store: Store;
  readonly accessTokens: AccessTokens;
  readonly log: Log;
  /** Where the metrics are, when they are asked for. */
  readonly metricsUrl: string | undefined;
  /** Finishes what is in flight within 10 s, then closes the store. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Opens another store than the one that the configuration names. */
  readonly openStore?: () => Promise<Store>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whether spans are recorded; see `isTracingWanted`. */
  readonly traces?: boolean;
  /** Takes the log in place of standard output. */
  readonly logOutput?: LogOutput;
}

/** Starts the service: opens the store, then listens. Rejects, having released everything, when either cannot be had. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<Running> {
  const now = options.now ?? Date.now;
  const observation = await startObservation({
    level: config.logLevel,
    output: options.logOutput ?? (await openLogOutput(config.logFormat)),
    requests: config.logRequests,
    metrics: config.metricsPort !== undefined,
    traces: options.traces ?? false,
    now,
  });
  try {
    return await openAndServe(config, options, observation, now);
  } catch (error) {
    await observation.close();
    throw error;
  }
}

async function openAndServe(
  config: Config,
  options: ServeOptions,
  observation: Observation,
  now: () => number,
): Promise<Running> {
  const opened = await (options.openStore ?? (() => openServerStore(config, observation.storeObserver)))();
  const store = observation.watch(opened, engineName(config));
  try {
    return await serveFrom(store, config, observation, now);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serveFrom(store: Store, config: Config, observation: Observation, now: () => number): Promise<Running> {
  const { log, metrics } = observation;
  let baseUrl = config.baseUrl;
  const issuer = () => baseUrl as string;

  const secretKey = config.secretKey ?? loadOrCreateSecretKey(config.dataDir);
  const sealer = createSealer(secretKey, 'signing-key');
  const keysOf = (purpose: SigningPurpose) =>
    createSigningKeys({ store, purpose, seal: sealer.seal, open: sealer.open, now });
  const signingKeys = keysOf('access_token');
  const idTokenKeys = keysOf('id_token');
  await signingKeys.current(); // a secret key that does not fit stops the start, not the first sign-in
  const accessTokens = createAccessTokens({ signingKeys, issuer, now });
  const existence = createExistence(store);
  const authenticator = createAuthenticator({
    store,
    existence,
    verifyAccessToken: (token) => accessTokens.verify(token),
    now,
  });
  const meter = createRequestMeter({
    store,
    now,
    onFault: (error) => log.warn({ error }, 'API requests could not be counted; they are sent again'),
  });
  const bodies = createBodyReader(config.bodyTimeoutSeconds, () => performance.now());
  const turns = createTurns(parsingMillisecondsMax, () => performance.now());
  const evaluator = createEvaluator({ inTurn: turns.run, bodyBytesMax: config.requestSizeLimitBytes });

  const wiring: Wiring = { store, config, log, secretKey, baseUrl: issuer, now };
  const signIn = createSignIn({ ...wiring, accessTokens, idTokenKeys });
  const others: Handlers = {
    ...publicStateHandlers(createPublicStates(store, evaluator, now)),
    ...userStateHandlers(createUserStates(store, evaluator, now), store),
    ...signIn.handlers,
    ...managementHandlers(store, now),
    ...usageHandlers(store, meter),
  };
  const handlers = { ...others, ...serviceHandlers({ store, signingKeys, baseUrl: issuer, others }) };
  const onFault = (error: unknown) => log.warn({ error }, 'expired sign-ins could not be cleared away');
  const stopSweep = startSignInSweep({
    sweeps: [(time) => store.sweepExpiredSignIns(time), (time) => store.sweepExpiredIdentities(time)],
    now,
    onFault,
  });
  let listener: Listener | undefined;
  const pipeline = createPipeline({
    router: createRouter(handlers),
    authenticator,
    authorizer: createAuthorizer(existence),
    admission: createAdmission(() => performance.now()),
    limits: createLimits({
      store,
      credentialPerMinute: config.rateLimitPerMinute,
      addressPerMinute: config.authRateLimitPerMinute,
      trustedProxies: config.trustProxy,
      now,
    }),
    meter,
    bodies,
    turns,
    cors: createCors(config.corsOrigins),
    log,
    observers: observation,
    faultPage: signIn.faultPage,
    requestBytesMax: config.requestSizeLimitBytes,
    isStopping: () => listener?.isStopping() ?? false,
  });
  listener = await listen(config, pipeline);
  baseUrl ??= defaultBaseUrl(config.host, listener.address.port);
  const metricsListener = metrics && (await listenForMetrics(config, metrics));

  const { stop } = listener;
  return {
    baseUrl,
    store,
    accessTokens,
    log,
    metricsUrl: metricsListener?.url,
    stop: async () => {
      await stop();
      await metricsListener?.stop();
      bodies.close();
      await evaluator.close();
      stopSweep();
      await signIn.close();
      await authenticator.close();
      await meter.close();
      await store.close();
      await observation.close();
    },
  };
}

async function listenForMetrics({ metricsHost, metricsPort }: Config, metrics: Metrics): Promise<MetricsListener> {
  const { listenForMetrics: listenOn } = await import('./http/metrics-listener.ts');
  return listenOn(metricsHost, metricsPort as number, metrics);
}
