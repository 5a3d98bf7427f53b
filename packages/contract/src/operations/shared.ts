/** Shared by entries of the operations table. */
import type { ComponentName } from '../schemas.ts';

/** How every route of a project can refuse a credential. */
export const admission = [
  'validation_error',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'service_unavailable',
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
        'The version that you have, 0 for none: the response has what came after it. The header `Last-Event-ID` takes precedence. Without both, the whole document comes first.',
    },
    wait: {
      type: 'wait',
      description: 'Without `Accept: text/event-stream`: how many seconds the response waits for a change, 25 by default.',
    },
  },
  success: {
    200: {
      description:
        'With `Accept: text/event-stream`, a stream of the events `snapshot`, `change`, `reset` and `goodbye`. Otherwise the same events in one body.',
      schema: 'ChangesBody',
      events: true,
    },
    204: { description: 'No stream was asked for, and nothing came in time.' },
  },
} as const;
export const paging = {
  limit: {
    type: 'integer',
    description: 'Items on the page, 1 to 50; 50 by default, and other numbers are moved into that range.',
  },
  cursor: { type: 'cursor', description: 'The `cursor` of the page before; none starts at the newest.' },
} as const;
