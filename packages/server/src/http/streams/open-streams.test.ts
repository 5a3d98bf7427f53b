import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenStreams } from '../../storage/contract/usage.ts';
import { createOpenStreamCounts } from './open-streams.ts';
import type { Stream } from './streams.ts';

const streamOf = (kind: string, accountId: string, slug: string) => ({ request: { kind, key: { accountId, slug } } });
type Open = ReturnType<typeof streamOf>;

let open: Open[];
let sent: (OpenStreams & { readonly expiresAt: number })[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  open = [];
  sent = [];
});
afterEach(() => vi.useRealTimers());

const counts = (isShared: boolean, others: readonly OpenStreams[] = []) =>
  createOpenStreamCounts({
    streams: {
      all: () => open as unknown as Stream[],
      ofAccount: (account) => open.filter(({ request }) => request.key.accountId === account) as unknown as Stream[],
    },
    store: {
      publishOpenStreams: async (more, expiresAt) => {
        sent.push(...more.map((each) => ({ ...each, expiresAt })));
      },
      readOpenStreams: () => others,
    },
    isShared,
    now: () => 1_000,
    onFault: (error) => expect.unreachable(String(error)),
  });

test('streams and long polls are counted by project, together with those of other nodes', async () => {
  open = [
    streamOf('public_stream', 'acc_1', 'q'),
    streamOf('public_poll', 'acc_1', 'q'),
    streamOf('user_stream', 'acc_1', 'p'),
    streamOf('public_stream', 'acc_2', 'p'),
  ];
  const other = { accountId: 'acc_1', slug: 'p', publicStreams: 5, userStreams: 1 };
  expect(await counts(true, [other]).ofAccount('acc_1')).toEqual([
    { accountId: 'acc_1', slug: 'p', publicStreams: 5, userStreams: 2 },
    { accountId: 'acc_1', slug: 'q', publicStreams: 2, userStreams: 0 },
  ]);
});

test('other nodes learn the open streams, then once that none is left, then nothing', async () => {
  const parts = counts(true);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(sent).toEqual([]);
  open = [streamOf('user_poll', 'acc_1', 'p')];
  await vi.advanceTimersByTimeAsync(15_000);
  open = [];
  await vi.advanceTimersByTimeAsync(30_000);
  const line = { accountId: 'acc_1', slug: 'p', publicStreams: 0, expiresAt: 41_000 };
  expect(sent).toEqual([
    { ...line, userStreams: 1 },
    { ...line, userStreams: 0 },
  ]);
  parts.close();
  open = [streamOf('user_poll', 'acc_1', 'p')];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toHaveLength(2);
});

test('a single node sends no stream counts', async () => {
  open = [streamOf('user_poll', 'acc_1', 'p')];
  counts(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
});
