/** A store that cannot write while another program locks its database: 503 until the lock is released. @see docs/contract.md §11.3 */
import { expect, test } from 'vitest';
import { shortAnswerTimeout, startServer } from '../support/server.ts';

test('a failed write is a 503 that leaves nothing behind, and succeeds when repeated later', async () => {
  const server = await startServer({ settings: shortAnswerTimeout });
  const { path, developer } = await server.newProject();
  const document = `${path}/public-state/development`;
  const create = () =>
    server.call('PUT', document, { headers: { ...developer.bearer, 'If-None-Match': '*' }, body: { state: {} } });
  const letGo = await server.place.holdWrites();
  try {
    const [refused, readiness, liveness] = await Promise.all([
      create(),
      server.call('GET', '/readyz'),
      server.call('GET', '/healthz'),
    ]);
    for (const answer of [refused, readiness]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.json).toMatchObject({ error: 'service_unavailable' });
    }
    expect(liveness.status).toBe(200);
    expect((await server.call('GET', document, { headers: developer.bearer })).status).toBe(204);
    await letGo();
    expect((await create()).json).toMatchObject({ version: 1 });
    // The result of the last probe may be repeated once.
    await expect.poll(async () => (await server.call('GET', '/readyz')).status).toBe(200);
  } finally {
    await server.stop();
  }
});
