/** The built-in identity provider's metadata and keys, so its ID tokens can be verified like any issuer's. */

import type { IdTokenIssuer } from '../../identity/built-in/id-tokens.ts';
import { keptForFiveMinutes } from '../caching.ts';
import type { Handlers } from '../operation-request.ts';
import { jsonReply } from '../reply.ts';

/** The handlers of the built-in issuer. */
export function identityHandlers(load: () => Promise<Pick<IdTokenIssuer, 'metadata' | 'jwks'>>): Handlers {
  return {
    readIdentityMetadata: async () => jsonReply(200, (await load()).metadata(), keptForFiveMinutes),
    readIdentityJwks: async () => jsonReply(200, await (await load()).jwks(), keptForFiveMinutes),
  };
}
