/** Changes written on one node and streamed by another. @see docs/contract.md §4.9 */
import { setTimeout as sleep } from 'node:timers/promises';
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
  followEveryVersion(12));

test('a reader that moves to a node behind its version is not set back', () => moveAfterEachVersion(4));

test('user state is sent by the other node; versions between two polls are sent together', async () => {
  const document = await userDocument();
  const reader = await watch(there, document.path, document.there);
  await reader.next();
  await write(here, document.path, document.here, 0, 0);
  await write(here, document.path, document.here, 1, 1);
  await write(here, document.path, document.here, 2, 2);
  let told = 0;
  let n: unknown;
  while (told < 3) {
    const { type, id, data } = await reader.next();
    expect([type, data.from]).toEqual(['change', told]);
    told = id ?? 0;
    n = (data.ops as { value: unknown }[])[0]?.value;
  }
  expect([told, n]).toEqual([3, 2]);
});

test('a key revoked on one node ends its streams on the other within a second', async () => {
  const { project, path } = await publicDocument();
  const key = await keyHeaders(project);
  const reader = await watch(there, path, credential(key));
  await reader.next();
  const revoked = here.call('DELETE', `${project.path}/api-keys/${key.id}`, { headers: project.developer.bearer });
  expect((await revoked).status).toBe(204);
  expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  await reader.ended();
});

test('a player blocked on one node loses streams and tokens on the other within a second', async () => {
  const { project, path, ...document } = await userDocument();
  await write(here, path, document.here, 0, 0);
  const reader = await watch(there, path, document.there);
  await reader.next();
  const { bearer: headers } = project.developer;
  const blocked = await here.call('PUT', `${project.path}/players/ada/block`, { headers, body: { reason: 'cheats' } });
  expect(blocked.status, blocked.text).toBe(200);
  expect((await here.call('GET', path, { headers: document.here })).status).toBe(401);
  expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  await reader.ended();
  await expect.poll(async () => (await there.call('GET', path, { headers: document.there })).status).toBe(401);
});

test('a node that missed a notice sends changes on time, because it polls the store', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const reader = await watch(there, path, headers);
  await reader.next();
  await sleep(300);
  await write(here, path, headers, 0, 0);
  await reader.next();
});
