/** Requests with too many parameters. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal, openWorld, requestText, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const tooMany = 'a&'.repeat(7_000);

test.each(['/v1/auth/authorize/context', '/authorize', '/authorize/forgot', '/authorize/reset'])(
  'a query of 14 KB of empty parameters is refused: GET %s',
  async (path) => {
    const { status, headers } = await world.exchange(requestText(`GET ${path}?${tooMany}`));
    expect([status, headers.get('api-version')]).toEqual([400, '1']);
  },
);

test('a query of a list is refused too', async () => {
  const path = `${world.statePath.split('/public-state')[0]?.split('/projects')[0]}/projects?${tooMany}`;
  expectRefusal(await world.exchange(requestText(`GET ${path}`, [world.tokenLine])), 400, 'validation_error');
});

test.each(['/v1/auth/authorize/callback', '/authorize/sign-in', '/authorize/forgot', '/authorize/sign-up'])(
  'a form of 64 KiB of empty parameters is refused: POST %s',
  async (path) => {
    const form = 'a&'.repeat(32_768);
    const lines = ['Content-Type: application/x-www-form-urlencoded'];
    const { status, headers } = await world.exchange(requestText(`POST ${path}`, lines, form));
    expect([status, headers.get('api-version')]).toEqual([400, '1']);
  },
);
