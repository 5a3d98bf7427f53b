/** The service's own routes: health, keys and API description. */

import type { OpenApi } from '@holdfast/contract/openapi';
import { html } from '../../common/html.ts';
import { memoised } from '../../common/memoised.ts';
import { Refusal } from '../../common/refusal.ts';
import { programVersion } from '../../common/version.ts';
import type { SigningKeys } from '../../oauth/signing-keys.ts';
import type { Store } from '../../storage/store.ts';
import { keptForFiveMinutes, neverKept } from '../caching.ts';
import { type PreparedReply, prepareReply } from '../compression.ts';
import type { Handlers } from '../operation-request.ts';
import { createReadiness } from '../readiness.ts';
import { jsonReply } from '../reply.ts';
import { documentationPageHeaders, readSiteText } from './documentation.ts';

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

/** The handlers of health, JWKS, OpenAPI and the reference page, which describe only the served operations. */
export function serviceHandlers({ store, signingKeys, lifetime, baseUrl, authFrontUrl, others }: ServiceParts): Handlers {
  const isReady = createReadiness(
    () => store.checkReady(),
    () => performance.now(),
  );
  const handlers: Handlers = {
    readLiveness: () => jsonReply(200, { status: 'ok' }, neverKept),
    readReadiness: async () => {
      if (lifetime.isStarting) throw new Refusal('service_unavailable', 'this node is starting', { retryAfterSeconds: 1 });
      if (lifetime.isStopping) throw new Refusal('service_unavailable', 'this node is stopping', { retryAfterSeconds: 1 });
      await isReady();
      return jsonReply(200, { status: 'ok' }, neverKept);
    },
    readJwks: async () => jsonReply(200, await signingKeys.jwks(), keptForFiveMinutes),
    readOpenApi: async ({ headers }) => (await openApi())(headers),
    readReference: async ({ headers }) => (await reference())(headers),
  };

  const openApi = memoised(async () =>
    prepareReply('application/json', JSON.stringify(await describe()), keptForFiveMinutes),
  );
  const reference = memoised(() => prepareReference(baseUrl(), authFrontUrl));

  /** The description is generated from the schemas, which are loaded on its first request. */
  async function describe(): Promise<OpenApi> {
    const { openApiDocument } = await import('@holdfast/contract/openapi');
    const served = new Set(Object.keys({ ...others, ...handlers }));
    return openApiDocument({ baseUrl: baseUrl(), served, ...(authFrontUrl !== undefined && { authFrontUrl }) });
  }
  return handlers;
}

/** The site's reference page, with this service's addresses. */
function prepareReference(baseUrl: string, authFrontUrl = baseUrl): Promise<PreparedReply> {
  const page = readSiteText('reference.html')
    .replaceAll('__VERSION__', programVersion())
    .replaceAll('__AUTH_FRONT_URL__', () => html`${authFrontUrl}`.text)
    .replaceAll('__BASE_URL__', () => html`${baseUrl}`.text);
  return prepareReply('text/html; charset=utf-8', page, documentationPageHeaders);
}
