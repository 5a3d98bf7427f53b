/** A service with an account whose operator and writers the tests of `holdfast backup` use. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type CommandSandbox, createCommandSandbox, type Served } from '../command.fixture.ts';

export const writers = 64;

export let place: CommandSandbox;
let server: Served;
export let account: { accountId: string; developerToken: string };
/** Starts a service, and creates an account with a project for each writer, before the tests of a file. */
export function prepareService(): void {
  beforeAll(async () => {
    place = await createCommandSandbox();
    server = await place.serve({ SVC_RATE_LIMIT_PER_MINUTE: '0' });
    account = JSON.parse((await place.run(['account', 'create', '--name', 'Acme', '--json'])).stdout);
    await call('POST', '/projects', { slug: 'game' });
    for (let writer = 0; writer < writers; writer++) await call('POST', '/projects', { slug: slugOf(writer) });
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
  });
}

export const slugOf = (writer: number) => `w${writer}`;
export const at = (name: string) => join(place.folder, name);

/** Sends a request of the account's operator, which succeeds. */
export async function call(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/v1/${account.accountId}${path}`, {
    method,
    headers: { authorization: `Bearer ${account.developerToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { version: number };
}

export const json: CommandSandbox['json'] = (args, environment) => place.json(args, environment);
