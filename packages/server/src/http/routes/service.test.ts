import { expect, test, vi } from 'vitest';
import type { Store } from '../../storage/store.ts';
import { serviceHandlers } from './service.ts';

test.each(['readOpenApi', 'readReference'] as const)(
  'after a failure %s is made for the next request',
  async (operationId) => {
    const baseUrl = vi
      .fn(() => 'https://holdfast.example')
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    const handlers = serviceHandlers({
      store: { checkReady: async () => undefined } as unknown as Store,
      signingKeys: {} as never,
      lifetime: { isStarting: false, isStopping: false },
      baseUrl,
      others: {},
    });
    const handle = async () => handlers[operationId]?.({ headers: {}, query: '', params: {} });
    await expect(handle()).rejects.toThrow('not yet');
    const reply = await handle();
    expect(reply).toMatchObject({ status: 200 });
    expect(await handle()).toBe(reply);
    expect(baseUrl).toHaveBeenCalledTimes(2);
  },
);
