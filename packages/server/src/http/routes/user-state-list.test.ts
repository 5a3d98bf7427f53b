import { expect, test } from 'vitest';
import { createDisplayNames } from '../../management/display-names.ts';
import type { UserStates } from '../../state/user-state.ts';
import type { Page } from '../../storage/contract/pages.ts';
import type { ListedUserState } from '../../storage/contract/user-states.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { BodyStream } from '../replies/reply.ts';
import { userStateHandlers } from './user-state.ts';

const names = createDisplayNames({ findNames: () => [] }, 'https://issuer.example');

const stateOf = (playerId: string): ListedUserState => ({
  playerId,
  version: 1,
  stateText: '{}',
  stateBytes: 2,
  updatedAt: 0,
});
const next = { createdAt: 0, tie: '1' };

/** The text of a list that is read in these portions. */
async function listOf(portions: Page<ListedUserState>[]): Promise<string> {
  const listUserStates = async () => ({ kind: 'page', page: portions.shift() });
  const { listPlayerStates } = userStateHandlers({} as UserStates, { listUserStates } as never, names);
  const request = { params: {}, query: '', headers: {} } as unknown as OperationRequest<'listPlayerStates'>;
  const { body } = (await listPlayerStates?.(request)) ?? {};
  let text = '';
  for await (const pieces of body as BodyStream) text += [...pieces].join('');
  return text;
}

test.each([
  ['the last portion has states', [stateOf('bob')], ['ada', 'bob']],
  ['the states of the last portion were deleted meanwhile', [], ['ada']],
])('a page in portions is JSON when %s', async (_, last, players) => {
  const body = JSON.parse(
    await listOf([
      { items: [stateOf('ada')], next },
      { items: last, next: null },
    ]),
  );
  expect(body.items.map(({ endUserId }: { endUserId: string }) => endUserId)).toEqual(players);
  expect([body.cursor, body.hasMore]).toEqual([null, false]);
});
