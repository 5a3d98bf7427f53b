import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../access/principal.ts';
import type { RequestFigure } from '../storage/contract/usage.ts';
import { RequestFigures } from './request-figures.ts';

const day = 86_400_000;
const today = Date.UTC(2026, 10, 25);

let clock: number;
let stored: RequestFigure[];
let isDown: boolean;
let untilTaken: Promise<void> | undefined;
const onFault = vi.fn();
const opened: RequestFigures[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = today + 1_000;
  stored = [];
  isDown = false;
  untilTaken = undefined;
  onFault.mockClear();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  vi.useRealTimers();
});

function newFigures(inMemoryMax?: number): RequestFigures {
  const figures = new RequestFigures({
    store: {
      async addRequestFigures(more) {
        await untilTaken;
        if (isDown) throw new Error('down');
        stored.push(...more);
      },
    },
    now: () => clock,
    onFault,
    ...(inMemoryMax !== undefined && { inMemoryMax }),
  });
  opened.push(figures);
  return figures;
}

const key = (keyId: string, accountId = 'acc_1') => ({ kind: 'api_key', keyId, accountId, slug: 'p' }) as Principal;
const player = { kind: 'end_user', userId: 'u', accountId: 'acc_1', slug: 'p' } as Principal;
const member = { kind: 'developer', actsAs: 'member', subject: 's', accountId: 'acc_1' } as Principal;
const robot = { kind: 'developer', actsAs: 'service_account', subject: 'sa_1', accountId: 'acc_1' } as Principal;
const short = ({ slug, caller, code, requests }: RequestFigure) => `${slug}/${caller}/${code} ${requests}`;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('answers are sent after some seconds, by project, caller and code', async () => {
  const figures = newFigures();
  for (const principal of [player, player, key('key_1')]) figures.count(principal, 'elsewhere', undefined);
  figures.count(key('key_1'), 'p', 'forbidden');
  figures.count(member, undefined, undefined);
  figures.count(member, 'q', 'not_found');
  figures.count(robot, 'q', undefined);
  await pass(9_999);
  expect(stored).toEqual([]);
  await pass(1);
  expect(stored.map(short)).toEqual([
    'p/end_user/ 2',
    'p/key_1/ 1',
    'p/key_1/forbidden 1',
    '/developer/ 1',
    'q/developer/not_found 1',
    'q/sa_1/ 1',
  ]);
  expect(new Set(stored.map(({ dayStartsAt }) => dayStartsAt))).toEqual(new Set([today]));
  figures.count(player, 'p', undefined);
  await pass(10_000);
  expect(stored.slice(6).map(short)).toEqual(['p/end_user/ 1']);
});

test('figures of one account are sent immediately on request, and each once', async () => {
  const figures = newFigures();
  figures.count(key('key_1'), 'p', undefined);
  figures.count(key('key_2', 'acc_2'), 'p', undefined);
  await figures.settle('acc_1');
  expect(stored.map(short)).toEqual(['p/key_1/ 1']);
  figures.count(key('key_1'), 'p', undefined);
  await pass(10_000);
  expect(stored.slice(1).map(short).sort()).toEqual(['p/key_1/ 1', 'p/key_2/ 1']);
});

test("a request during another's gets the same result", async () => {
  const figures = newFigures();
  const { promise, resolve } = Promise.withResolvers<void>();
  untilTaken = promise;
  figures.count(player, 'p', undefined);
  const ends: number[] = [];
  const asked = [1, 2].map(() => figures.settle('acc_1').then(() => ends.push(stored.length)));
  await pass(1);
  asked.push(figures.settle('acc_1').then(() => ends.push(stored.length)));
  await pass(1);
  expect(ends).toEqual([]);
  resolve();
  await Promise.all(asked);
  expect(ends).toEqual([1, 1, 1]);
});

test('a request counts on the day of its answer', async () => {
  const figures = newFigures();
  figures.count(player, 'p', undefined);
  clock = today + day;
  figures.count(player, 'p', undefined);
  await pass(10_000);
  expect(stored.map(({ dayStartsAt }) => dayStartsAt)).toEqual([today, today + day]);
});

test('figures that the store refuses are sent again, once', async () => {
  const figures = newFigures();
  isDown = true;
  figures.count(player, 'p', undefined);
  await pass(10_000);
  expect(onFault).toHaveBeenCalledOnce();
  figures.count(player, 'p', undefined);
  await expect(figures.settle('acc_1')).rejects.toThrow('down');
  isDown = false;
  await pass(10_000);
  expect(stored.map(short)).toEqual(['p/end_user/ 2']);
  await pass(20_000);
  expect(stored).toHaveLength(1);
});

test('the figures of one account are bounded: the rest of a day is counted together', async () => {
  const figures = newFigures();
  for (let n = 0; n < 1_500; n++) figures.count(key(`key_${n}`), 'p', undefined);
  for (let n = 0; n < 3; n++) figures.count(key(`key_${n}`), 'p', 'forbidden');
  await figures.settle('acc_1');
  expect(stored).toHaveLength(1_002);
  expect(stored.slice(1_000).map(short)).toEqual(['/other/ 500', '/other/forbidden 3']);
  figures.count(key('key_5'), 'p', undefined);
  figures.count(key('key_1400'), 'p', undefined);
  await figures.settle('acc_1');
  expect(stored.slice(1_002).map(short)).toEqual(['p/key_5/ 1', '/other/ 1']);
});

test('the figures of all accounts are bounded until they are sent', async () => {
  const figures = newFigures(3);
  for (let n = 0; n < 9; n++) figures.count(key(`key_${n}`, `acc_${n}`), 'p', undefined);
  await pass(10_000);
  expect(stored).toHaveLength(3);
  figures.count(key('key_8', 'acc_8'), 'p', undefined);
  await pass(10_000);
  expect(stored.slice(3).map(short)).toEqual(['p/key_8/ 1']);
});

test('closing sends the remaining figures', async () => {
  const figures = newFigures();
  figures.count(player, 'p', undefined);
  await figures.close();
  expect(stored.map(short)).toEqual(['p/end_user/ 1']);
});
