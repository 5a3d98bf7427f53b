import { expect, onTestFinished, test, vi } from 'vitest';
import { guarded, memoryStorage } from '../storage.ts';
import { TokenKeeper } from './tokens.ts';

test('when what another tab has stored cannot be read, the known tokens stay and no rejection is left behind', async () => {
  vi.stubGlobal('addEventListener', () => undefined); // as in a browser
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => {
    process.off('unhandledRejection', unhandled);
    vi.unstubAllGlobals();
  });
  const stored = memoryStorage();
  await stored.set('tokens', JSON.stringify({ accessToken: 'a', refreshToken: 'r' }));
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isDenied = false;
  const get = (name: string) => {
    if (!isDenied) return stored.get(name);
    resolve();
    throw new DOMException('denied', 'SecurityError');
  };
  const keeper = new TokenKeeper({} as never, guarded({ ...stored, get }), 'tokens', () => undefined);
  onTestFinished(() => keeper.close());
  await keeper.ready;
  isDenied = true;
  const other = new BroadcastChannel('tokens');
  onTestFinished(() => other.close());
  other.postMessage(null);
  await asked;
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
  expect(keeper.current).toMatchObject({ refreshToken: 'r' });
});
