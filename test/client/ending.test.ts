/** Open connections and timers of a client: they do not keep a program alive. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDocument } from './ending.fixture.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

test.each(['close', 'react'])('a process that has used a client exits (%s)', async (way) => {
  const { options } = await newDocument(world);
  const program = join(import.meta.dirname, 'pages/ending-main.ts');
  const run = promisify(execFile)(process.execPath, [program, way, JSON.stringify(options)], { timeout: 45_000 });
  expect((await run).stdout.trim()).toBe('1');
});
