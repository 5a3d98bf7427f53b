/** The contract determines the replies of handlers: each wrong line fails to compile. */
import { expect, test } from 'vitest';
import type { HandlersOf } from './operation-request.ts';
import { errorReply } from './replies/error-reply.ts';
import { emptyReply, jsonReply, textReply } from './replies/reply.ts';

type Ids = 'readLiveness' | 'deleteProject' | 'readPublicState';

test('a handler answers with statuses and records of its operation, or with an error', () => {
  const right: HandlersOf<Ids>[] = [
    {
      readLiveness: () => jsonReply(200, { status: 'ok' }),
      deleteProject: () => emptyReply(204),
      readPublicState: () => textReply(200, 'application/json', '{}'),
    },
    {
      readLiveness: () => errorReply('service_unavailable', 'not now'),
      deleteProject: async () => errorReply('not_found', 'there is none'),
      readPublicState: () => emptyReply(304),
    },
  ];
  const wrong: Partial<HandlersOf<Ids>>[] = [
    // @ts-expect-error another status
    { readLiveness: () => jsonReply(201, { status: 'ok' }) },
    // @ts-expect-error another value
    { readLiveness: () => jsonReply(200, { status: 'well' }) },
    // @ts-expect-error a record without a member
    { readLiveness: () => jsonReply(200, {}) },
    // @ts-expect-error a body where none is declared
    { deleteProject: () => jsonReply(204, {}) },
    // @ts-expect-error another status without a body
    { readPublicState: () => emptyReply(205) },
  ];
  expect([right.length, wrong.length]).toEqual([2, 5]);
});
