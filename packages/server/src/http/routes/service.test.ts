import { expect, test, vi } from 'vitest';
import type { Store } from '../../storage/store.ts';
import { documentationHandlers } from './documentation.ts';
import { serviceHandlers } from './service.ts';

type BaseUrl = () => string;
const openApi = (baseUrl: BaseUrl) =>
  serviceHandlers({
    store: { checkReady: async () => undefined } as unknown as Store,
    signingKeys: {} as never,
    lifetime: { isStarting: false, isStopping: false },
    baseUrl,
    others: {},
  }).readOpenApi;
const reference = (baseUrl: BaseUrl) => documentationHandlers({ baseUrl }).readReference;

test.each(Object.entries({ openApi, reference }))('after a failure %s is made for the next request', async (_, make) => {
  const baseUrl = vi
    .fn(() => 'https://holdfast.example')
    .mockImplementationOnce(() => {
      throw new Error('not yet');
    });
  const read = make(baseUrl);
  const handle = async () => read?.({ headers: {}, query: '', params: {} } as never);
  await expect(handle()).rejects.toThrow('not yet');
  const reply = await handle();
  expect(reply).toMatchObject({ status: 200 });
  expect(await handle()).toBe(reply);
});
