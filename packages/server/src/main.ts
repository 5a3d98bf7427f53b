/** The composition root: connects the parts of the service. wiring/engine.ts says which store runs. */

import { processClock } from './common/time/clock.ts';
import { authFrontUrlOf, type Config, defaultBaseUrl } from './config/config.ts';
import { createFlags } from './flags/flags.ts';
import { createAdmission } from './http/admission.ts';
import { createBodyReader } from './http/bodies/body.ts';
import { listen, requireFreePort } from './http/connections/listener.ts';
import { missingProtections } from './http/connections/node-internals.ts';
import { connectionsWithin, openFilesMax } from './http/connections/open-files.ts';
import { createPipeline } from './http/pipeline.ts';
import { createCors } from './http/replies/cors.ts';
import { createUnreadResponses } from './http/replies/unread-responses.ts';
import { createRouter } from './http/router.ts';
import { createParseScheduler, type ParseScheduler } from './http/turns/parse-scheduler.ts';
import type { Argon2id } from './identity/built-in/passwords/password-hash.ts';
import { createLimits } from './limits/limits.ts';
import { createDisplayNames } from './management/display-names.ts';
import type { AccessTokens } from './oauth/access-token.ts';
import type { Log } from './observe/log.ts';
import type { LogOutput } from './observe/log-output.ts';
import type { Observation } from './observe/observation.ts';
import { loadOrCreateSecretKeys } from './secrets/secret-key.ts';
import { createEvaluator } from './state/evaluation/evaluator.ts';
import { createUserStateRetentions } from './state/user-state-retention.ts';
import type { BeforeChange } from './storage/contract/store-observer.ts';
import type { Store } from './storage/store.ts';
import { type Access, identityIssuer, openAccess } from './wiring/access.ts';
import { type ChangeStreams, createChangeStreams } from './wiring/change-streams.ts';
import { Disposal } from './wiring/disposal.ts';
import { isShared, openServerStore, requireKey, storeEventsTo } from './wiring/engine.ts';
import { type JoinedParts, joinParts } from './wiring/joined-parts.ts';
import { createMails } from './wiring/mails.ts';
import { createManagement } from './wiring/management.ts';
import { createMergePart } from './wiring/merges.ts';
import { listenForMetrics, openCounts, openObservation } from './wiring/observation.ts';
import { createProposals } from './wiring/proposals.ts';
import { createSchemas } from './wiring/schemas.ts';
import { createSignIn, type SignIn } from './wiring/sign-in.ts';
import { createPublicStatePart, createUserStateParts } from './wiring/states.ts';
import { startSweeps } from './wiring/sweeps.ts';
import { createTeam } from './wiring/team.ts';
import { createWebhooks } from './wiring/webhooks.ts';
import type { Part, Wiring } from './wiring/wiring.ts';
import { wrapStore } from './wiring/wrap-store.ts';

/** How much of one turn of the event loop parsing bodies may take. */
const parsingMillisecondsMax = 0.5;

/** A running service. */
export interface Running {
  /** Prefix of every address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly store: Store;
  readonly accessTokens: AccessTokens;
  readonly log: Log;
  /** The address of the metrics, if there are any. */
  readonly metricsUrl: string | undefined;
  /**
   * Sends clients elsewhere before a stop: from now on `/readyz` is 503, and each response ends its connection. Everything else continues.
   */
  drain(): void;
  /** Finishes what is in flight within 10 s, then closes the store. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Opens a store other than the one in the configuration. */
  readonly openStore?: () => Promise<Store>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whether spans are recorded; see `isTracingWanted`. */
  readonly traces?: boolean;
  /** Called once the service listens. Until it resolves, `/readyz` is 503; if it rejects, the start fails with that. */
  readonly prepare?: (service: Pick<Running, 'store' | 'baseUrl'>) => Promise<void>;
  /** Receives the log instead of standard output. */
  readonly logOutput?: LogOutput;
  /** Stands in for argon2id in tests, where a password need not be expensive to guess. */
  readonly argon2id?: Argon2id | undefined;
}

/**
 * Starts the service: opens the store, then listens. If the start fails, everything opened so far is closed, and the promise rejects with
 * the cause.
 */
export async function serve(config: Config, options: ServeOptions = {}): Promise<Running> {
  const connectionsMax = connectionsWithin(openFilesMax(), config.connectionsMax);
  let log: Log | undefined;
  const disposal = new Disposal((what, error) => log?.error({ error }, `could not close ${what}`));
  try {
    const observation = await openObservation(config, options, disposal);
    log = observation.log;
    if (connectionsMax < config.connectionsMax) {
      const { connectionsMax: wanted } = config;
      log.warn({ connectionsMax, wanted }, 'the limit of open files leaves fewer connections than SVC_CONNECTIONS_MAX');
    }
    for (const protection of missingProtections()) {
      const { version: runtime } = process;
      log.warn({ runtime, protection }, 'this version of Node lacks protections that the service uses');
    }
    const store = await openStore(config, options, observation, disposal);
    const served = await serveFrom(store, { ...config, connectionsMax }, observation, options, disposal);
    const { lifetime, ...running } = served;
    await options.prepare?.(running);
    lifetime.isStarting = false;
    return { ...running, stop: () => disposal.run() };
  } catch (error) {
    await disposal.run().catch(() => undefined); // the log has it; the caller needs the cause of the failed start
    throw error;
  }
}

async function openStore(
  config: Config,
  options: ServeOptions,
  observation: Observation,
  disposal: Disposal,
): Promise<Store> {
  const { storeObserver: observer, background } = observation;
  const beforeChange: BeforeChange = async (signingKeys) => {
    await requireKey(config)(signingKeys);
    await requireFreePorts(config);
  };
  const { onClockOffset } = observation;
  const observers = { observer, background, ...storeEventsTo(observation.log), beforeChange, onClockOffset };
  const opened = await (options.openStore ?? (() => openServerStore(config, observers)))();
  disposal.add('the store', () => opened.close());
  return opened;
}

/** Faults that would end the start later, and are better known before a schema changes. */
async function requireFreePorts({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  await requireFreePort({ host, port });
  if (metricsPort !== undefined) await requireFreePort({ host: metricsHost, port: metricsPort });
}

/** Milliseconds of the monotonic clock. */
const monotonic = performance.now.bind(performance);

/** What is opened first is closed last: the listener closes first, and its requests end, before anything that they need. */
async function serveFrom(
  opened: Store,
  config: Config,
  observation: Observation,
  { now = processClock.now, argon2id }: ServeOptions,
  disposal: Disposal,
): Promise<Omit<Running, 'stop'> & { readonly lifetime: { isStarting: boolean } }> {
  const { log } = observation;
  const baseUrlAt = (port: number) => config.baseUrl ?? defaultBaseUrl(config.host, port);
  let baseUrl = baseUrlAt(config.port);
  const secretKeys = loadOrCreateSecretKeys(config);
  const addresses = { baseUrl: () => baseUrl, authFrontUrl: () => authFrontUrlOf(config, baseUrl) };
  const parseScheduler = createParseScheduler(parsingMillisecondsMax, monotonic);
  const wrappers = { observation, isShared: isShared(config), secretKeys, inTurn: parseScheduler.run };
  const store = wrapStore(opened, wrappers);
  const parts = { store, config, isShared: isShared(config), log, observation, disposal, secretKeys };
  const wiring: Wiring = { ...parts, ...addresses, now, argon2id };
  const access = await openAccess(wiring);
  const work = openWork(wiring, parseScheduler);
  const changes = createChangeStreams({ ...wiring, access, evaluator: work.evaluator });
  const lifetime = { isStarting: true, isStopping: false, requestsUnderWay: 0 };
  const { handlers, faultPage, authNonce, startTimed } = createHandlers({ ...wiring, access, work, changes, lifetime });
  const metricsUrl = await listenForMetrics(config, observation, disposal);
  const pipeline = createPipeline({
    authenticator: access.authenticator,
    authorizer: access.authorizer,
    meter: work.meter,
    figures: work.figures,
    bodies: work.bodies,
    unread: work.unread,
    parseScheduler,
    router: createRouter(handlers),
    admission: createAdmission(monotonic),
    limits: createLimits({
      store,
      subjectPerMinute: config.rateLimitPerMinute,
      addressPerMinute: config.authRateLimitPerMinute,
      trustedProxies: config.trustProxy,
      now,
    }),
    cors: createCors(config.corsOrigins),
    log,
    observers: observation,
    faultPage,
    authNonce,
    now,
    requestBytesMax: config.requestSizeLimitBytes,
    lifetime,
  });
  const listener = await listen(config, pipeline);
  const drain = () => {
    lifetime.isStopping = true;
  };
  disposal.add('the listener', () => {
    drain();
    return Promise.all([changes.stop(), listener.stop(() => lifetime.requestsUnderWay === 0)]).then(() => undefined);
  });
  baseUrl = baseUrlAt(listener.address.port); // the system chooses the port if the configured one is 0
  startTimed();
  return { baseUrl, store, accessTokens: access.accessTokens, log, metricsUrl, drain, lifetime };
}

/** Opens the parts that count requests, and bound their bodies and responses. */
function openWork(wiring: Wiring, { run: inTurn }: ParseScheduler) {
  const { config, disposal } = wiring;
  const { meter, figures } = openCounts(wiring);
  const bodies = createBodyReader(config.bodyTimeoutSeconds, monotonic);
  disposal.add('the clock of request bodies', () => bodies.close());
  const unread = createUnreadResponses(monotonic);
  disposal.add('the clock of unread responses', () => unread.close());
  const evaluator = createEvaluator({ inTurn, bodyBytesMax: config.requestSizeLimitBytes });
  disposal.add('the evaluation threads', () => evaluator.close());
  return { meter, figures, bodies, unread, evaluator };
}

interface HandlerWiring extends Wiring {
  readonly access: Access;
  readonly work: ReturnType<typeof openWork>;
  readonly changes: ChangeStreams;
  readonly lifetime: { readonly isStarting: boolean; readonly isStopping: boolean };
}

/** Returns the handlers of all operations, and the page of a refusal. */
function createHandlers(wiring: HandlerWiring): JoinedParts & Pick<SignIn, 'faultPage' | 'authNonce'> {
  const { store, config, now, disposal, access, work, changes } = wiring;
  const { evaluator, meter: requests, figures } = work;
  const { publicDocuments, userDocuments, openStreams } = changes;
  const retentions = createUserStateRetentions(store, now);
  const issuer = identityIssuer(config);
  const names = createDisplayNames(store, issuer);
  const mails = createMails(wiring);
  const signIn = createSignIn({ ...wiring, retentions, mails });
  const team = createTeam({ ...wiring, issuer, mails });
  const flags = createFlags(now);
  disposal.add('the threads of flags', () => flags.close());
  const webhooks = createWebhooks({ ...wiring, evaluator, names });
  const schemas = createSchemas({ ...wiring, evaluator, flags, names });
  const ofUsers = { retentions, evaluator, checks: schemas.checks.of('user-state'), watchers: userDocuments };
  const userStates = createUserStateParts({ store, now, names, ...ofUsers, subscribers: webhooks.userSubscribers });
  startSweeps({ ...wiring, sweepUserStates: userStates.sweep });
  const ofPublic = {
    checks: schemas.checks.of('public-state'),
    watchers: publicDocuments,
    subscribers: webhooks.publicSubscribers,
  };
  const publicStates = createPublicStatePart({ store, evaluator, now, flags, names, ...ofPublic });
  const parts: readonly Part[] = [
    mails,
    createManagement({ ...wiring, names, requests, figures, openStreams }),
    publicStates,
    changes,
    signIn,
    team,
    userStates,
    schemas,
    createMergePart({ store, now, guests: signIn.guests, ...ofUsers }),
    webhooks,
    createProposals({ ...wiring, evaluator, states: publicStates.states, names }),
  ];
  return { ...signIn, ...joinParts({ ...wiring, signingKeys: access.signingKeys }, parts) };
}
