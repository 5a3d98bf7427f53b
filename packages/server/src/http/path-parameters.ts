/** Path parameters by name: which rule each raw segment has to satisfy. */
import type { Environment } from '@holdfast/contract';
import { parseAccountId, parseEnvironment, parseKeyId, parseSlug, parseVersion } from '../access/path-segments.ts';

/** What a path says; the operation knows which of them its path has. */
export interface PathParameters {
  accountId?: string;
  slug?: string;
  environment?: Environment;
  version?: number;
  keyId?: string;
  /** As it was sent: what is no valid id is an end user that does not exist, and no malformed request. */
  endUserIdSegment?: string;
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
      case 'endUserId':
        parameters.endUserIdSegment = segment;
        break;
      default:
        throw new Error(`the path parameter ${names[i]} has no rule`);
    }
  }
  return parameters;
}
