/** Path parameters by name: which rule each raw segment has to satisfy. */
import type { Environment } from '@holdfast/contract';
import {
  parseAccountId,
  parseEnvironment,
  parseKeyId,
  parseProviderId,
  parseSlug,
  parseUserId,
  parseVersion,
} from './path-segments.ts';

/** What a path says; the operation knows which of them its path has. */
export interface PathParameters {
  accountId?: string;
  slug?: string;
  environment?: Environment;
  version?: number;
  keyId?: string;
  providerId?: string;
  userId?: string;
  /** As it was sent: what is no valid id is an end user that does not exist, and no malformed request. */
  endUserIdSegment?: string;
  /** Of a login page, as it was sent: what names no provider is answered by a page. */
  providerSegment?: string;
}

/** Reads the raw segments in the order of the path; throws `validation_error` that names the first malformed one. */
export function readPathParameters(names: readonly string[], segments: readonly string[]): PathParameters {
  const parameters: PathParameters = {};
  for (let i = 0; i < names.length; i++) {
    const segment = segments[i] as string;
    switch (names[i]) {
      case 'accountId':
        parameters.accountId = parseAccountId(segment);
        break;
      case 'slug':
        parameters.slug = parseSlug(segment);
        break;
      case 'env':
        parameters.environment = parseEnvironment(segment);
        break;
      case 'version':
        parameters.version = parseVersion(segment);
        break;
      case 'keyId':
        parameters.keyId = parseKeyId(segment);
        break;
      case 'providerId':
        parameters.providerId = parseProviderId(segment);
        break;
      case 'userId':
        parameters.userId = parseUserId(segment);
        break;
      case 'endUserId':
        parameters.endUserIdSegment = segment;
        break;
      case 'provider':
        parameters.providerSegment = segment;
        break;
      default:
        throw new Error(`the path parameter ${names[i]} has no rule`);
    }
  }
  return parameters;
}
