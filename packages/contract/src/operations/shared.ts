/** Shared by entries of the operations table. */
import type { ComponentName } from '../schemas.ts';

/** Codes with which any route of a project can refuse a request. */
export const admission = [
  'validation_error',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'service_unavailable',
] as const;
/** Codes of a patch that cannot be read or applied. */
export const patchCodes = [
  'patch_invalid',
  'patch_unsupported_operation',
  'patch_invalid_path',
  'patch_missing_value',
  'patch_path_not_found',
  'patch_path_untraversable',
  'patch_invalid_array_index',
  'patch_invalid_state_root',
  'patch_state_too_large',
] as const;
export const reading = ['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const;
export const metered = { quotaCodes: ['QUOTA_API_REQUESTS'] } as const;

export const project = '/v1/{accountId}/projects/{slug}';
export const json = <const Name extends ComponentName>(schema: Name) =>
  ({ mediaType: 'application/json', schema }) as const;
export const form = <const Name extends ComponentName>(schema: Name) =>
  ({ mediaType: 'application/x-www-form-urlencoded', schema }) as const;
export const noContent = (description: string) => ({ 204: { description } }) as const;
/** Shared by the operations for changes. */
export const watching = {
  watches: true,
  query: {
    since: {
      type: 'version',
      description:
        'The version that you have, or 0 for none: the response contains later changes. The header `Last-Event-ID` takes precedence. Without either, the whole document comes first.',
    },
    wait: {
      type: 'wait',
      description: 'Without `Accept: text/event-stream`: seconds to wait for a change, 25 by default.',
    },
  },
  success: {
    200: {
      description:
        'With `Accept: text/event-stream`, a stream of the events `snapshot`, `change`, `reset` and `goodbye`. Otherwise the same events in one body.',
      schema: 'ChangesBody',
      events: true,
    },
    204: { description: 'No stream was requested, and nothing changed in time.' },
  },
} as const;
export const paging = {
  limit: {
    type: 'integer',
    description: 'Items per page, 1 to 50; 50 by default. Other numbers are clamped to that range.',
  },
  cursor: { type: 'cursor', description: 'The `cursor` of the previous page; leave it out to start at the newest.' },
} as const;
