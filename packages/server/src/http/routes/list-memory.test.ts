import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { portionsBy } from '../../common/async/portions.ts';
import { createDisplayNames } from '../../management/display-names.ts';
import type { PublicStates } from '../../state/public-state.ts';
import type { UserStates } from '../../state/user-state.ts';
import type { PublicState } from '../../storage/contract/public-states.ts';
import type { ListedUserState } from '../../storage/contract/user-states.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { BodyStream } from '../replies/reply.ts';
import { publicStateHandlers } from './public-state.ts';
import { userStateHandlers } from './user-state.ts';

const names = createDisplayNames({ findNames: () => [] }, 'https://issuer.example');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Takes portions like a response does, and expects that no record is still held once its portion was taken. */
async function expectNoneHeld(body: unknown, created: readonly WeakRef<object>[]): Promise<void> {
  const portions = (body as BodyStream)[Symbol.asyncIterator]();
  const take = async () => {
    for (const _ of (await portions.next()).value);
  };
  for (let taken = 1; taken <= 3; taken++) {
    await take();
    await setImmediate();
    collectGarbage();
    expect(created.map((record) => record.deref() === undefined)).toEqual(Array(taken).fill(true));
  }
  await portions.return?.();
}

test('a list keeps none of the versions it has sent', async () => {
  const created: WeakRef<PublicState>[] = [];
  const listVersions = () =>
    portionsBy(async () => {
      const record = { version: 3 - created.length, stateText: '{}', stateBytes: 2, comment: null };
      created.push(new WeakRef(record));
      return record.version > 0 ? [record] : undefined;
    });
  const { listPublicStateVersions } = publicStateHandlers({ listVersions } as unknown as PublicStates, names);
  const request = { params: {}, headers: {} } as unknown as OperationRequest<'listPublicStateVersions'>;
  const { body } = (await listPublicStateVersions?.(request)) ?? {};
  await expectNoneHeld(body, created);
});

test('a page of user states keeps none of those it has sent', async () => {
  const created: WeakRef<ListedUserState>[] = [];
  const store = {
    async listUserStates() {
      const record = { playerId: `player-${created.length}`, version: 1, stateText: '{}', stateBytes: 2, updatedAt: 0 };
      created.push(new WeakRef(record));
      return { kind: 'page', page: { items: [record], next: { createdAt: 0, tie: String(created.length) } } };
    },
  };
  const { listPlayerStates } = userStateHandlers({} as UserStates, store as never, names);
  const request = { params: {}, query: '', headers: {} } as unknown as OperationRequest<'listPlayerStates'>;
  const { body } = (await listPlayerStates?.(request)) ?? {};
  await expectNoneHeld(body, created);
});
