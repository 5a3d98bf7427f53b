/** The composition root: connects the parts of the service. wiring/engine.ts says which store runs. */

import { processClock } from './common/time/clock.ts';
import { authFrontUrlOf, type Config, defaultBaseUrl } from './config/config.ts';
import { listen, requireFreePort } from './http/connections/listener.ts';
import { connectionsWithin, openFilesMax } from './http/connections/open-files.ts';
import { missingProtections } from './http/node/node-internals.ts';
import type { Argon2id } from './identity/built-in/passwords/password-hash.ts';
import type { AccessTokens } from './oauth/access-token.ts';
import type { Log } from './observe/log.ts';
import type { LogOutput } from './observe/log-output.ts';
import type { Observation } from './observe/observation.ts';
import { loadOrCreateSecretKeys } from './secrets/secret-key.ts';
import type { BeforeChange } from './storage/contract/store-observer.ts';
import type { Store } from './storage/store.ts';
import { openAccess } from './wiring/access.ts';
import { createChangeStreams } from './wiring/change-streams.ts';
import { Disposal } from './wiring/disposal.ts';
import { isShared, openServerStore, requireKey, storeEventsTo } from './wiring/engine.ts';
import { createHandlers } from './wiring/handlers.ts';
import { listenForMetrics, openObservation } from './wiring/observation.ts';
import { openParseScheduler, openPipeline, openRequestWork } from './wiring/pipeline.ts';
import type { ServiceLifetime, Wiring } from './wiring/wiring.ts';
import { wrapStore } from './wiring/wrap-store.ts';

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
  const parseScheduler = openParseScheduler();
  const store = wrapStore(opened, { observation, isShared: isShared(config), secretKeys, inTurn: parseScheduler.run });
  const parts = { store, config, isShared: isShared(config), log, observation, disposal, secretKeys };
  const wiring: Wiring = { ...parts, ...addresses, now, argon2id };
  const access = await openAccess(wiring);
  const work = openRequestWork(wiring, parseScheduler);
  const changes = createChangeStreams({ ...wiring, access, evaluator: work.evaluator });
  const lifetime: ServiceLifetime = { isStarting: true, isStopping: false, requestsUnderWay: 0 };
  const served = createHandlers({ ...wiring, access, work, changes, lifetime });
  const metricsUrl = await listenForMetrics(config, observation, disposal);
  const listener = await listen(config, openPipeline({ ...wiring, access, work, served, lifetime }));
  const drain = () => {
    lifetime.isStopping = true;
  };
  disposal.add('the listener', () => {
    drain();
    return Promise.all([changes.stop(), listener.stop(() => lifetime.requestsUnderWay === 0)]).then(() => undefined);
  });
  baseUrl = baseUrlAt(listener.address.port); // the system chooses the port if the configured one is 0
  served.startTimed();
  return { baseUrl, store, accessTokens: access.accessTokens, log, metricsUrl, drain, lifetime };
}
