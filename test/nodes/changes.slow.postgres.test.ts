/** Changes written on one node and streamed by another. @see docs/contract.md §4.9 */
import { expect, test } from 'vitest';
import {
  credential,
  followEveryVersion,
  here,
  keyHeaders,
  moveAfterEachVersion,
  publicDocument,
  startNodes,
  there,
  userDocument,
  watch,
  write,
} from './changes.fixture.ts';

startNodes();

test('every version of public state is sent by the other node, where it can be read immediately', () =>
  followEveryVersion(60));

test('a reader that moves to a node behind its version is not set back', () => moveAfterEachVersion(20));

test('repeatedly disconnected readers on both nodes get every version once', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const versions = 120;
  let isWriting = true;
  const follow = async (first: number): Promise<number[]> => {
    const told: number[] = [];
    for (let turn = first; isWriting || (told.at(-1) ?? 0) < versions; turn++) {
      const reader = await watch(turn % 2 === 0 ? here : there, path, headers, `?since=${told.at(-1) ?? 0}`);
      const cut = performance.now() + 100 + 40 * (turn % 5);
      while (performance.now() < cut) {
        const event = reader.waiting().length > 0 ? await reader.next() : await reader.next(50).catch(() => undefined);
        if (event === undefined) continue;
        expect([event.type, event.data.from]).toEqual(['change', told.at(-1) ?? 0]);
        told.push(event.id ?? 0);
      }
      reader.close();
    }
    return told;
  };
  const following = [0, 1, 2, 3].map(follow);
  for (let n = 0; n < versions; n++) await write(n % 2 === 0 ? here : there, path, headers, n, n);
  isWriting = false;
  const all = Array.from({ length: versions }, (_, n) => n + 1);
  for (const told of await Promise.all(following)) expect(told).toEqual(all);
});

test('a state deleted and recreated between two polls resets the stream once', async () => {
  const document = await userDocument();
  await write(here, document.path, document.here, 0, 0);
  await write(here, document.path, document.here, 1, 1);
  const reader = await watch(there, document.path, document.there);
  expect(await reader.next()).toMatchObject({ type: 'snapshot', id: 2 });
  await document.remove();
  const version = await write(here, document.path, document.here, 0, 2);
  let event = await reader.next();
  if (event.id === 0) event = await reader.next(); // the node saw the deletion first
  expect(event).toEqual({ type: 'reset', id: version, data: { version, state: { n: 2 } } });
  await document.remove();
  expect(await reader.next()).toEqual({ type: 'reset', id: 0, data: { version: null, state: null } });
});
