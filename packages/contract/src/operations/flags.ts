/** Feature flags: public state in flagd's format, by the OpenFeature Remote Evaluation Protocol. */
import { flagRequestBytesMax } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { admission, json, metered, project, reading } from './shared.ts';

const path = `${project}/public-state/{env}/ofrep/v1/evaluate/flags` as const;

const contextNote =
  'For an end user, `targetingKey` is the `user_id` of the access token, whatever the body says. A context has 16 KiB at most, and its evaluation takes 100 ms at most.';

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
    description: `Evaluates every flag of the public state for one context, as OFREP 0.3 has it. A flag that cannot be evaluated says so in its place, and the others are not disturbed. Before the first write the list is empty. A flag without a value leaves it to the code of the client. With the entity tag of an earlier response in \`If-None-Match\` the response is 304 as long as nothing would be different. ${contextNote}`,
    success: {
      200: { description: 'All flags, in the order of the document.', schema: 'FlagListBody' },
      304: { description: 'The response named in `If-None-Match` would be the same now.' },
    },
    codes: [...admission, ...reading, 'flag_error'],
    otherErrors: { 400: 'flag', 403: 'empty' },
  },
  evaluateFlag: {
    ...shared,
    path: `${path}/{key}`,
    summary: 'Evaluate a flag',
    description: `Evaluates one flag of the public state for one context, as OFREP 0.3 has it. Without a value in the response, the client takes the one in its code. ${contextNote}`,
    success: { 200: { description: 'The flag.', schema: 'FlagBody' } },
    codes: [...admission, ...reading, 'flag_error'],
    otherErrors: { 400: 'flag', 403: 'empty', 404: 'flag' },
  },
} as const satisfies Record<string, Operation>;
