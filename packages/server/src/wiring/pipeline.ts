/** Wires up the pipeline that requests pass, and what they share on their way: counts, budgets and threads. */
import { createAdmission } from '../http/admission.ts';
import { type BodyReader, createBodyReader } from '../http/bodies/body.ts';
import type { OnRequest } from '../http/connections/listener.ts';
import { createCors } from '../http/cors.ts';
import { createMessageCheck } from '../http/node/message.ts';
import { createPipeline } from '../http/pipeline.ts';
import { createUnreadResponses, type UnreadResponses } from '../http/replies/unread-responses.ts';
import { createRouter } from '../http/router.ts';
import { createParseScheduler, type ParseScheduler } from '../http/turns/parse-scheduler.ts';
import { createRequestResumption } from '../http/turns/resumption.ts';
import { createLimits } from '../limits/limits.ts';
import type { RequestMeter } from '../limits/request-quota.ts';
import { createEvaluator, type Evaluator } from '../state/evaluation/evaluator.ts';
import type { RequestFigures } from '../usage/request-figures.ts';
import type { Access } from './access.ts';
import type { Served } from './handlers.ts';
import { openCounts } from './observation.ts';
import type { ServiceLifetime, Wiring } from './wiring.ts';

/** How much of one turn of the event loop parsing bodies may take. */
const parsingMillisecondsMax = 0.5;

/** Milliseconds of the monotonic clock. */
const monotonic = performance.now.bind(performance);

/** Returns what shares the turns of the event loop between the bodies of requests, and the large reads of the store. */
export const openParseScheduler = (): ParseScheduler => createParseScheduler(parsingMillisecondsMax, monotonic);

/** What counts requests, and bounds their bodies and responses. */
export interface RequestWork {
  readonly parseScheduler: ParseScheduler;
  readonly meter: RequestMeter;
  readonly figures: RequestFigures;
  readonly bodies: BodyReader;
  readonly unread: UnreadResponses;
  readonly evaluator: Evaluator;
}

/** Opens what counts requests, and bounds their bodies and responses. */
export function openRequestWork(wiring: Wiring, parseScheduler: ParseScheduler): RequestWork {
  const { config, disposal } = wiring;
  const counts = openCounts(wiring);
  const bodies = createBodyReader(config.bodyTimeoutSeconds, monotonic);
  disposal.add('the clock of request bodies', () => bodies.close());
  const unread = createUnreadResponses(monotonic);
  disposal.add('the clock of unread responses', () => unread.close());
  const evaluator = createEvaluator({ inTurn: parseScheduler.run, bodyBytesMax: config.requestSizeLimitBytes });
  disposal.add('the evaluation threads', () => evaluator.close());
  return { parseScheduler, ...counts, bodies, unread, evaluator };
}

interface PipelineWiring extends Wiring {
  readonly access: Access;
  readonly work: RequestWork;
  readonly served: Served;
  readonly lifetime: ServiceLifetime;
}

/** Returns the pipeline that handles each request from the listener. */
export function openPipeline({ access, work, served, lifetime, ...wiring }: PipelineWiring): OnRequest {
  const { store, config, log, observation, now } = wiring;
  const { parseScheduler, meter, figures, bodies, unread } = work;
  const limits = createLimits({
    store,
    subjectPerMinute: config.rateLimitPerMinute,
    addressPerMinute: config.authRateLimitPerMinute,
    trustedProxies: config.trustProxy,
    now,
  });
  return createPipeline({
    authenticator: access.authenticator,
    authorizer: access.authorizer,
    meter,
    figures,
    bodies,
    unread,
    parseScheduler,
    router: createRouter(served.handlers),
    checkMessage: createMessageCheck(),
    admission: createAdmission(monotonic),
    resumption: createRequestResumption(lifetime, monotonic),
    limits,
    cors: createCors(config.corsOrigins),
    log,
    observers: observation,
    faultPage: served.faultPage,
    authNonce: served.authNonce,
    now,
    requestBytesMax: config.requestSizeLimitBytes,
    lifetime,
  });
}
