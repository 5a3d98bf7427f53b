/** The service's own routes: health, keys and API description. */

import type { OpenApi } from '@holdfast/contract/openapi';
import { keptFor } from '../../common/async/kept-for.ts';
import { memoised } from '../../common/async/memoised.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { SigningKeys } from '../../oauth/signing-keys.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { keptForFiveMinutes, neverKept } from '../replies/caching.ts';
import { prepareReply } from '../replies/compression.ts';
import { jsonReply } from '../replies/reply.ts';

export interface ServiceParts {
  readonly store: Store;
  readonly signingKeys: SigningKeys;
  /** A node that is starting, draining or stopping is not ready. */
  readonly lifetime: { readonly isStarting: boolean; readonly isStopping: boolean };
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** The login page's address; the base URL if undefined. */
  readonly authFrontUrl?: string | undefined;
  /** Handlers of the operations outside this file. */
  readonly others: Handlers;
}

/** Readiness is at most this old, and each check writes. */
const readyMilliseconds = 250;

/** The handlers of health, JWKS and OpenAPI, which describes only the served operations. */
export function serviceHandlers({ store, signingKeys, lifetime, baseUrl, authFrontUrl, others }: ServiceParts): Handlers {
  const checkReady = keptFor(
    () => store.checkReady(),
    () => readyMilliseconds,
    () => performance.now(),
  );
  const handlers: Handlers = {
    readLiveness: () => jsonReply(200, { status: 'ok' }, neverKept),
    readReadiness: async () => {
      if (lifetime.isStarting) throw new Refusal('service_unavailable', 'this node is starting', { retryAfterSeconds: 1 });
      if (lifetime.isStopping) throw new Refusal('service_unavailable', 'this node is stopping', { retryAfterSeconds: 1 });
      await checkReady();
      return jsonReply(200, { status: 'ok' }, neverKept);
    },
    readJwks: async () => jsonReply(200, await signingKeys.jwks(), keptForFiveMinutes),
    readOpenApi: async ({ headers }) => (await openApi())(headers),
  };

  const openApi = memoised(async () =>
    prepareReply('application/json', JSON.stringify(await describe()), keptForFiveMinutes),
  );

  /** The description is generated from the schemas, which are loaded on its first request. */
  async function describe(): Promise<OpenApi> {
    const { openApiDocument } = await import('@holdfast/contract/openapi');
    const served = new Set(Object.keys({ ...others, ...handlers }));
    return openApiDocument({ baseUrl: baseUrl(), served, ...(authFrontUrl !== undefined && { authFrontUrl }) });
  }
  return handlers;
}
