/** Flags of a client while the code that evaluates them cannot be loaded. */
import { expect, test, vi } from 'vitest';
import { apiKeyAuth } from '../auth/auth.ts';
import { flagsOf } from './flags.ts';

const network = vi.hoisted(() => ({ isDown: true, watched: 0 }));
vi.mock('./watch.ts', () => {
  if (network.isDown) throw new TypeError('no network');
  return { watchFlags: () => network.watched++ };
});

const auth = apiKeyAuth({ apiKey: 'svcp_x' });
const parts = {
  options: { baseUrl: 'http://127.0.0.1' },
  path: '/x',
  auth,
  reader: auth,
  feed: { subscribe: () => () => {} },
};

test('code of flags that cannot be loaded is reported as network_error, and loaded by the next call', async () => {
  const { flags } = flagsOf(parts);
  const onError = vi.fn();
  const ended = vi.fn();
  flags.subscribe(() => {}, { onError: ended })();
  flags.subscribe(() => {}, { onError });
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ name: 'HoldfastError', code: 'network_error' }));
  expect(ended).not.toHaveBeenCalled();
  await expect(flags.evaluate()).rejects.toMatchObject({ name: 'HoldfastError', code: 'network_error' });
  network.isDown = false;
  vi.resetModules();
  flags.subscribe(() => {}, { onError });
  await vi.waitFor(() => expect(network.watched).toBe(1));
  expect(onError).toHaveBeenCalledOnce();
});
