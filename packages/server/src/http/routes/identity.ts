/** The built-in identity provider's metadata and keys, for verifying its ID tokens like any issuer's. */

import type { IdTokenIssuer } from '../../identity/built-in/id-tokens.ts';
import { keptForFiveMinutes } from '../caching.ts';
import type { Handlers } from '../operation-request.ts';
import { jsonReply } from '../reply.ts';

/** Returns the handlers of the built-in issuer. */
export function identityHandlers(load: () => Promise<Pick<IdTokenIssuer, 'metadata' | 'jwks'>>): Handlers {
  return {
    readIdentityMetadata: async () => jsonReply(200, (await load()).metadata(), keptForFiveMinutes),
    readIdentityJwks: async () => jsonReply(200, await (await load()).jwks(), keptForFiveMinutes),
  };
}
