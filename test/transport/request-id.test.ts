import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, requestText, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const made = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idOf = async (lines: readonly string[], line = 'GET /healthz') =>
  (await world.exchange(requestText(line, lines))).headers.get('x-request-id');

test.each(['a', 'trace-7f/3.2:1', '!"#$%&\'()*+,-./;<=>?@[\\]^_`{|}~', 'x'.repeat(128)])('taken over: %s', async (id) => {
  expect(await idOf([`X-Request-Id: ${id}`])).toBe(id);
  expect(await idOf([`x-request-id:   ${id}  `])).toBe(id);
});

test.each([
  ['one character too many', 'x'.repeat(129)],
  ['empty', ''],
  ['a space inside', 'a b'],
  ['a tab inside', 'a\tb'],
  ['beyond ASCII', 'caf\xe9'],
])('refused and made anew: %s', async (_what, id) => {
  expect(await idOf([`X-Request-Id: ${id}`])).toMatch(made);
});

test('of two, none is believed', async () => {
  expect(await idOf(['X-Request-Id: a', 'X-Request-Id: b'])).toMatch(made);
});

test('made when none is sent, another one each time', async () => {
  const ids = await Promise.all([idOf([]), idOf([])]);
  expect(ids[0]).toMatch(made);
  expect(ids[0]).not.toBe(ids[1]);
});

test('returned on errors too', async () => {
  expect(await idOf(['X-Request-Id: e1'], 'GET /nothing')).toBe('e1');
  expect(await idOf(['X-Request-Id: e2'], `GET ${world.statePath}`)).toBe('e2');
  expect(await idOf(['X-Request-Id: e3'], 'DELETE /healthz')).toBe('e3');
});
