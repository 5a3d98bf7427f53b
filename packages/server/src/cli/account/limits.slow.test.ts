/** `holdfast account limits`, run by an operator while a service runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox, type Served } from '../command.fixture.ts';

let place: CommandSandbox;
let server: Served;
beforeAll(async () => {
  place = await createCommandSandbox();
  server = await place.serve({ SVC_QUOTA_PROJECTS: '1' });
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});

const json = (...args: readonly string[]) => place.json(args);

describe('holdfast account limits', () => {
  it('changes the limits of a running service within seconds, and back to its settings', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Limited');
    const create = async (slug: string) => {
      const response = await fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/v1/${accountId}/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${developerToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ slug }),
      });
      return response.status;
    };
    expect([await create('a'), await create('b')]).toEqual([201, 402]);
    expect(await json('account', 'limits', accountId, '--projects', '2', '--storage-bytes', 'unlimited')).toEqual({
      accountId,
      monthStartsAt: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      apiRequests: { used: expect.any(Number), limit: 'default' },
      projects: { used: 1, limit: 2 },
      endUsers: { used: 0, limit: 'default' },
      storageBytes: { used: 0, limit: 'unlimited' },
      requestsPerMinute: { limit: 'unlimited' },
      keys: [],
      webhookNetworks: [],
    });
    expect([await create('b'), await create('c')]).toEqual([201, 402]);
    await json('account', 'limits', accountId, '--projects', 'unlimited');
    expect(await create('c')).toBe(201);
    await json('account', 'limits', accountId, '--projects', 'default');
    expect(await create('d')).toBe(402);
    await json('account', 'limits', accountId, '--projects', 'unlimited', '--api-requests', '1');
    const read = () =>
      fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/v1/${accountId}/projects/a/public-state/staging`, {
        headers: { authorization: `Bearer ${developerToken}` },
      });
    await expect.poll(async () => (await read()).status).toBe(402);
    expect(await create('d')).toBe(201); // managing an account is never refused because of its monthly limit

    const { code, stdout } = await place.run(['account', 'limits', accountId]);
    const requests = String.raw`API requests +\d+ +1\n`;
    const others = String.raw`Projects +4 +unlimited\nEnd users +0 +default\nStorage bytes +0 +unlimited\n`;
    expect(code).toBe(0);
    const last = String.raw`Requests per minute +unlimited\n`;
    expect(stdout).toMatch(new RegExp(`^ +Used {2}Limit\n${requests}${others}${last}$`));
  });

  it('opens private networks to the webhooks of an account, and closes them', async () => {
    const { accountId } = await json('account', 'create', '--name', 'Private');
    const set = async (text: string) =>
      (await json('account', 'limits', accountId, '--webhook-networks', text)).webhookNetworks;
    expect(await set('10.20.0.0/16,fd00::/8')).toEqual(['10.20.0.0/16', 'fd00::/8']);
    expect(await set('none')).toEqual([]);
    for (const text of ['10.20.0.0', '10.20.0.0/33', 'example.com/8', '']) {
      const { code, stderr } = await place.run(['account', 'limits', accountId, '--webhook-networks', text]);
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('10.20.0.0/16')]);
      expect(code).not.toBe(0);
    }
  });

  it('sets the requests per minute of an account, and of one of its API keys', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Rates');
    const call = async (method: string, path: string, body?: object, credential = `Bearer ${developerToken}`) =>
      fetch(`http://127.0.0.1:${place.environment.SVC_PORT}${path}`, {
        method,
        headers: { authorization: credential, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    await call('POST', `/v1/${accountId}/projects`, { slug: 'a' });
    const created = await call('POST', `/v1/${accountId}/projects/a/api-keys`, { name: 'k' });
    const { id, apiKey } = (await created.json()) as { id: string; apiKey: string };
    const ofKey = await json('account', 'limits', accountId, '--key', id, '--requests-per-minute', '2');
    expect(ofKey).toMatchObject({
      requestsPerMinute: { limit: 'unlimited' },
      keys: [{ projectSlug: 'a', id, name: 'k', requestsPerMinute: 2 }],
    });
    const info = async () => (await call('GET', '/v1/api-key/info', undefined, `ApiKey ${apiKey}`)).status;
    await expect.poll(info).toBe(429);
    await json('account', 'limits', accountId, '--requests-per-minute', '1', '--projects', '9');
    const read = async () => (await call('GET', `/v1/${accountId}/projects/a/public-state/staging`)).status;
    await expect.poll(read).toBe(429);
    const { stdout } = await place.run(['account', 'limits', accountId, '--key', id, '--requests-per-minute', 'default']);
    expect(stdout).toMatch(/Requests per minute +1\n$/);

    const wrong = await place.run(['account', 'limits', accountId, '--key', 'key_none', '--requests-per-minute', '2']);
    expect(wrong).toMatchObject({ code: 1, stderr: `holdfast: the account "${accountId}" has no API key "key_none"\n` });
    const alone = await place.run(['account', 'limits', accountId, '--key', id, '--projects', '2']);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringMatching(/--key works only with --requests-per-minute/) });
  });

  it('for an unknown account ends with status 1 and one line', async () => {
    expect(await place.run(['account', 'limits', 'acc_none', '--projects', '2'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'holdfast: there is no account "acc_none"\n',
    });
  });

  it.each(['0', '-1', '1.5', 'none', '1e3', ''])('--api-requests %j ends with status 2', async (text) => {
    const { code, stderr } = await place.run(['account', 'limits', 'acc_x', `--api-requests=${text}`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^holdfast: /)]);
  });
});
