import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, requestText, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const made = /^[\w-]{10,64}$/;
const idOf = async (lines: readonly string[], line = 'GET /healthz') =>
  (await world.exchange(requestText(line, lines))).headers.get('x-request-id');

test.each(['a', 'trace-7f/3.2:1', '!"#$%&\'()*+,-./;<=>?@[\\]^_`{|}~', 'x'.repeat(128)])('accepted: %s', async (id) => {
  expect(await idOf([`X-Request-Id: ${id}`])).toBe(id);
  expect(await idOf([`x-request-id:   ${id}  `])).toBe(id);
});

test.each([
  ['one character too many', 'x'.repeat(129)],
  ['empty', ''],
  ['a space inside', 'a b'],
  ['a tab inside', 'a\tb'],
  ['letters outside ASCII', 'caf\xe9'],
])('refused and replaced: %s', async (_what, id) => {
  const given = await idOf([`X-Request-Id: ${id}`]);
  expect(given).toMatch(made);
  expect(given).not.toBe(id);
});

test('replaced if sent twice', async () => {
  expect(await idOf(['X-Request-Id: a', 'X-Request-Id: b'])).toMatch(made);
});

test('created if none is sent, and always new', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idOf([])));
  for (const id of ids) expect(id).toMatch(made);
  expect(new Set(ids).size).toBe(20);
});

test('returned on errors too', async () => {
  expect(await idOf(['X-Request-Id: e1'], 'GET /nothing')).toBe('e1');
  expect(await idOf(['X-Request-Id: e2'], `GET ${world.statePath}`)).toBe('e2');
  expect(await idOf(['X-Request-Id: e3'], 'DELETE /healthz')).toBe('e3');
});
