/** What the service says of itself: health, keys, its description. */
import { openApiDocument } from '@holdfast/contract';
import type { SigningKeys } from '../../oauth/signing-keys.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../exchange.ts';
import { referencePage, referenceStyleSource } from '../reference-page.ts';
import { jsonReply, type Reply, textReply } from '../reply.ts';

const neverKept = ['Cache-Control', 'no-store'] as const;
const keptForFiveMinutes = ['Cache-Control', 'public, max-age=300'] as const;

/** The handlers of health, JWKS, OpenAPI and the reference page. `baseUrl` is known once the service listens. */
export function serviceHandlers(store: Store, signingKeys: SigningKeys, baseUrl: () => string): Handlers {
  return {
    readLiveness: () => jsonReply(200, { status: 'ok' }, neverKept),
    readReadiness: async () => {
      await store.checkReady();
      return jsonReply(200, { status: 'ok' }, neverKept);
    },
    readJwks: async () => jsonReply(200, await signingKeys.jwks(), keptForFiveMinutes),
    readOpenApi: once(() => jsonReply(200, openApiDocument({ baseUrl: baseUrl() }), keptForFiveMinutes)),
    readReference: once(() => pageReply(referencePage(openApiDocument({ baseUrl: baseUrl() })))),
  };
}

/** Makes a reply at the first request, and keeps it. */
function once(make: () => Reply): () => Reply {
  let reply: Reply | undefined;
  return () => (reply ??= make());
}

/** A page without script whose only style is the one that it carries. */
function pageReply(page: string): Reply {
  return textReply(200, 'text/html; charset=utf-8', page, [
    ...keptForFiveMinutes,
    'Content-Security-Policy',
    `default-src 'none'; style-src ${referenceStyleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy',
    'no-referrer',
    'X-Content-Type-Options',
    'nosniff',
  ]);
}
