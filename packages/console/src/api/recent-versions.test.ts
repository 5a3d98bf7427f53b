import { beforeEach, expect, it, vi } from 'vitest';
import { send } from './http.ts';
import { versionReader } from './recent-versions.ts';

vi.mock('./http.ts', () => ({ call: vi.fn(), send: vi.fn() }));

const key = { accountId: 'a', slug: 'game', env: 'development' } as const;
const { signal } = new AbortController();
type Request = { params: { version?: number }; signal?: AbortSignal };
/** Operations and versions, in the order in which they were read. */
let sent: string[] = [];

/** A service with versions that each set `n` to their number. */
function serve({ hasOperations }: { hasOperations: boolean }) {
  vi.mocked(send).mockImplementation(async (operation: string, { params, signal: ending }: Request) => {
    sent.push(params.version === undefined ? operation : `version ${params.version}`);
    ending?.throwIfAborted();
    if (operation === 'readPublicStateVersion')
      return new Response(JSON.stringify({ version: params.version, state: { n: params.version }, comment: null }));
    const ops = (n: number) => (hasOperations ? [{ op: 'replace', path: '/n', value: n }] : null);
    const events = [2, 3, 4].map((version) => ({ version, from: version - 1, ops: ops(version) }));
    return new Response(JSON.stringify({ events }));
  });
}

beforeEach(() => {
  sent = [];
});

it('the newest versions are read at the cost of one, and large ones too', async () => {
  serve({ hasOperations: true });
  const read = versionReader(key, 4, 3);
  const found = await Promise.all([4, 3, 2, 1].map((version) => read(version, signal, true)));
  expect(JSON.stringify(found.map(({ state }) => state))).toBe('[{"n":4},{"n":3},{"n":2},{"n":1}]');
  expect(sent).toEqual(['version 1', 'readPublicStateChanges']);
});

it('without changes from the service, versions are read individually, but no large one', async () => {
  serve({ hasOperations: false });
  const read = versionReader(key, 4, 3);
  await expect(read(4, signal, true)).rejects.toThrow('large');
  expect(sent).toEqual(['version 1', 'readPublicStateChanges']);
  expect((await read(4, signal)).version).toBe(4);
  expect(sent.slice(2)).toEqual(['version 4']);
});

it('a reader that ends does not end the read that others share', async () => {
  serve({ hasOperations: true });
  const read = versionReader(key, 4, 3);
  await read(4, AbortSignal.abort()).catch(() => undefined);
  expect((await read(3, signal)).version).toBe(3);
  expect(sent).toEqual(['version 1', 'readPublicStateChanges']);
});
