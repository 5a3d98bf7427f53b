import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { PublicStates } from '../../state/public-state.ts';
import type { PublicState } from '../../storage/store.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { BodyStream } from '../reply.ts';
import { publicStateHandlers } from './public-state.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a list keeps none of the versions that it has sent', async () => {
  const made: WeakRef<PublicState>[] = [];
  async function* listVersions(): AsyncGenerator<readonly PublicState[], void, undefined> {
    for (let version = 3; version > 0; version--) {
      const record = { version, stateText: '{}', stateBytes: 2, comment: null };
      made.push(new WeakRef(record));
      yield [record];
    }
  }
  const { listPublicStateVersions } = publicStateHandlers({ listVersions } as unknown as PublicStates);
  const request = { params: {}, headers: {} } as unknown as OperationRequest<'listPublicStateVersions'>;
  const { body } = (await listPublicStateVersions?.(request)) ?? {};
  const portions = (body as BodyStream)[Symbol.asyncIterator]();
  for (let portion = 0; portion < 2; portion++) for (const _ of (await portions.next()).value);
  await setImmediate();
  collectGarbage();
  expect(made.map((version) => version.deref() === undefined)).toEqual([true, false]);
  await portions.return?.();
});
