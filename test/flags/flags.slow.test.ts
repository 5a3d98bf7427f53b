/** Feature flags over HTTP. flagd defines what rules mean; these tests cover everything around them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
const path = (project: Project) => `${project.path}/public-state/production/ofrep/v1/evaluate/flags`;

/** Creates a project with a document. `ask` evaluates its flags. */
async function newFlags(document: unknown | undefined) {
  const project = await server.newProject();
  const { bearer, accountId } = project.developer;
  if (document !== undefined) {
    const headers = { ...bearer, 'If-None-Match': '*' };
    const written = await server.call('PUT', `${project.path}/public-state/production`, {
      headers,
      body: { state: document },
    });
    expect(written.status, written.text).toBe(200);
  }
  const ask = (key: string | undefined, body: unknown = { context: {} }, headers: Record<string, string> = bearer) =>
    server.call('POST', path(project) + (key === undefined ? '' : `/${encodeURIComponent(key)}`), { headers, body });
  return { project, accountId, bearer, ask };
}

describe('rules that take too long or too much memory', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  const list = { var: 'list' };
  const above = { var: '../../list' };
  const hostile: Readonly<Record<string, unknown>> = {
    slow: { some: [list, { some: [above, { some: [{ var: '../../../../list' }, { '>': [{ var: '' }, 1e9] }] }] }] },
    large: { reduce: [numbers(60), { merge: [{ var: 'accumulator' }, { var: 'accumulator' }, list] }, [1]] },
    wide: { map: [list, { map: [numbers(20_000), { '+': [{ var: '' }, { var: '../../../../k' }] }] }] },
    text: { map: [list, { map: [numbers(2_000), { cat: [{ var: '' }, { var: '../../../../k' }, 'x'] }] }] },
    joined: { map: [numbers(20_000), { map: [numbers(3_000), { '+': [{ var: '' }, 1.5] }] }] },
  };
  const context = { list: numbers(3_000), k: 1 };
  const flagOf = (targeting: unknown) => ({ ...onOff, targeting });

  test('never delay other accounts or the event loop', async () => {
    const other = await newFlags({ flags: { a: flagOf({ if: [{ '==': [{ var: 'k' }, 1] }, 'on', 'off'] }) } });
    expect((await other.ask('a', { context })).status).toBe(200);
    const attacker = await newFlags({ flags: { slow: flagOf(hostile.slow), slower: flagOf(hostile.slow) } });
    let isOver = false;
    const asked = numbers(16).map(async () => (await attacker.ask(undefined, { context })).status);
    const attack = Promise.all(asked).finally(() => {
      isOver = true;
    });
    // Behind the whole attack, the first answer would be the only one.
    let answersBefore = 0;
    while (!isOver) {
      expect((await other.ask('a', { context })).json).toMatchObject({ value: true });
      if (!isOver) answersBefore += 1;
      // Slow enough to stay within the account's share.
      await sleep(50);
    }
    // On a busy machine the threads of such accounts get no processor.
    for (const status of await attack) expect([200, 503]).toContain(status);
    expect(answersBefore).toBeGreaterThanOrEqual(2);
  });
});
