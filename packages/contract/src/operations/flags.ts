/** Feature flags: public state in flagd's format, by the OpenFeature Remote Evaluation Protocol. */
import { flagRequestBytesMax } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { admission, json, metered, project, reading } from './shared.ts';

const path = `${project}/public-state/{env}/ofrep/v1/evaluate/flags` as const;

const contextNote =
  'For an end user, `targetingKey` is the `user_id` of the access token, regardless of the body. A context may have at most 16 KiB, and its evaluation may take at most 100 ms.';

const shared = {
  method: 'POST',
  tag: 'Feature flags',
  access: ['developer', 'api_key', 'end_user'],
  needs: 'read',
  publishable: true,
  body: { ...json('FlagRequestBody'), asSent: flagRequestBytesMax, untyped: true },
  ...metered,
} as const;

export const flagOperations = {
  evaluateFlags: {
    ...shared,
    path,
    summary: 'Evaluate all flags',
    description: `Evaluates every flag of the public state for one context, as defined by OFREP 0.3. A flag that cannot be evaluated has an error in its entry; the others are unaffected. Before the first write, the list is empty. For a flag without a value, the client uses the default in its code. With the entity tag of an earlier response in \`If-None-Match\`, the response is 304 while nothing has changed. ${contextNote}`,
    success: {
      200: { description: 'All flags, in the order of the document.', schema: 'FlagListBody' },
      304: { description: 'The response named in `If-None-Match` is still current.' },
    },
    codes: [...admission, ...reading, 'flag_error'],
    otherErrors: { 400: 'flag', 403: 'empty' },
  },
  evaluateFlag: {
    ...shared,
    path: `${path}/{key}`,
    summary: 'Evaluate a flag',
    description: `Evaluates one flag of the public state for one context, as defined by OFREP 0.3. If the response has no value, the client uses the default in its code. ${contextNote}`,
    success: { 200: { description: 'The flag.', schema: 'FlagBody' } },
    codes: [...admission, ...reading, 'flag_error'],
    otherErrors: { 400: 'flag', 403: 'empty', 404: 'flag' },
  },
} as const satisfies Record<string, Operation>;
