/** The per-minute limits over HTTP, with the clock under the test's control. */
import type { Environment } from '@holdfast/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let clock: number;
afterEach(() => server.stop());

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  clock = Date.now();
  server = await startServer({ settings, now: () => clock });
}

/** Sends `count` requests in sequence. */
async function repeat(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await send());
  return answers;
}
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('a credential', () => {
  test('gets 429 over its limit, with a retry time, after which it is let in', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '3' });
    const { accountId, bearer: headers } = await server.newDeveloper();
    const read = () => server.call('GET', `/v1/${accountId}`, { headers });
    const answers = await repeat(3, read);
    expect(statuses(answers)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.headers.ratelimit)).toEqual([2, 1, 0].map((left) => `"minute";r=${left};t=60`));
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"minute";q=3;w=60');

    clock += 18_500;
    const refused = await read();
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('42');
    expect(refused.headers.ratelimit).toBe('"minute";r=0;t=42');

    clock += 41_500;
    expect((await read()).status).toBe(200);
  });

  test('is counted separately from others', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '1' });
    const [first, second] = [await server.newDeveloper(), await server.newDeveloper()];
    const read = ({ accountId, bearer: headers }: typeof first) => server.call('GET', `/v1/${accountId}`, { headers });
    expect(statuses([await read(first), await read(first), await read(second)])).toEqual([200, 429, 200]);
  });

  test('is counted even if the path or reach is refused, which is checked first', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '2' });
    const { accountId, bearer: headers } = await server.newDeveloper();
    const answers = await repeat(3, () => server.call('GET', '/v1/acc_unknown', { headers }));
    expect(statuses(answers)).toEqual([404, 404, 404]);
    expect(answers.map((answer) => answer.headers.ratelimit)).toEqual([1, 0, 0].map((left) => `"minute";r=${left};t=60`));
    expect((await server.call('GET', `/v1/${accountId}`, { headers })).status).toBe(429);
  });

  test('is not counted if the limit is 0', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '0' });
    const developer = await server.newDeveloper();
    const path = `/v1/${developer.accountId}`;
    const unlimited = await repeat(20, () => server.call('GET', path, { headers: developer.bearer }));
    expect(new Set(statuses(unlimited))).toEqual(new Set([200]));
    expect(unlimited[0]?.headers.ratelimit).toBeUndefined();
  });
});

describe('several credentials', () => {
  const playerOf = async ({ developer, slug }: Project, userId: string, environment: Environment = 'production') => {
    const { accountId } = developer;
    const request = { accountId, slug, environment, userId, seconds: 900 };
    const token = await server.running.accessTokens.signPlayerToken(request);
    return server.call('GET', `/v1/${accountId}/projects/${slug}/user-state/${environment}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  };

  test('of one player are counted together; other users, environments and projects separately', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '2' });
    const project = await server.newProject();
    const answers = await repeat(3, () => playerOf(project, 'one'));
    expect(statuses(answers)).toEqual([204, 204, 429]);
    expect((await playerOf(project, 'two')).status).toBe(204);
    expect((await playerOf(project, 'one', 'staging')).status).toBe(204);
    expect((await playerOf(await server.newProject(), 'one')).status).toBe(204);
    clock += 60_000;
    expect((await playerOf(project, 'one')).status).toBe(204);
  });

  test('of one developer are counted together; other developers and accounts separately', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '2' });
    const [{ accountId }, other] = [await server.newDeveloper(), await server.newDeveloper()];
    const read = async (subject: string, account = accountId) => {
      const token = await server.running.accessTokens.signDeveloperToken({
        accountId: account,
        subject,
        actsAs: 'operator',
        seconds: 900,
      });
      return server.call('GET', `/v1/${account}`, { headers: { Authorization: `Bearer ${token}` } });
    };
    expect(statuses(await repeat(3, () => read('ada')))).toEqual([200, 200, 429]);
    expect((await read('eve')).status).toBe(200);
    expect((await read('ada', other.accountId)).status).toBe(200);
  });

  test('of one project are counted separately if they are API keys', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '3' });
    const project = await server.newProject();
    const [one, two] = [await server.newApiKey(project), await server.newApiKey(project)];
    const read = ({ apiKey }: typeof one) =>
      server.call('GET', '/v1/api-key/info', { headers: { Authorization: `ApiKey ${apiKey}` } });
    expect(statuses(await repeat(4, () => read(one)))).toEqual([200, 200, 200, 429]);
    expect((await read(two)).status).toBe(200);
  });
});

describe('a publishable API key', () => {
  test('is counted for each client address named by trusted proxies, not in total', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '3', SVC_TRUST_PROXY: '127.0.0.1' });
    const project = await server.newProject();
    const [one, two] = [
      await server.newApiKey(project, { kind: 'publishable' }),
      await server.newApiKey(project, { kind: 'publishable' }),
    ];
    const read = ({ apiKey }: typeof one, forwardedFor: string) =>
      server.call('GET', `${project.path}/public-state/production`, {
        headers: { Authorization: `ApiKey ${apiKey}`, 'X-Forwarded-For': forwardedFor },
      });
    const answers = await repeat(4, () => read(one, '192.0.2.1'));
    expect(statuses(answers)).toEqual([204, 204, 204, 429]);
    expect(answers[3]?.headers['retry-after']).toBe('60');
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"minute";q=3;w=60');
    for (let host = 2; host < 20; host++) expect((await read(one, `192.0.2.${host}`)).status).toBe(204);
    expect((await read(two, '192.0.2.1')).status).toBe(204);
    expect(statuses(await repeat(4, () => read(one, '2001:db8::1')))).toEqual([204, 204, 204, 429]);
    expect((await read(one, '2001:db8::2')).status).toBe(429); // the same /64 network
    clock += 60_000;
    expect((await read(one, '192.0.2.1')).status).toBe(204);
  });

  test('is counted by connection if no proxy is trusted', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '2' });
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project, { kind: 'publishable' });
    let host = 0;
    const read = () =>
      server.call('GET', `${project.path}/public-state/production`, {
        headers: { Authorization: `ApiKey ${apiKey}`, 'X-Forwarded-For': `192.0.2.${++host}` },
      });
    expect(statuses(await repeat(3, read))).toEqual([204, 204, 429]);
  });
});

describe('an address', () => {
  test('with bad credentials gets 429, while good credentials from it still work', async () => {
    await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '3' });
    const { accountId, bearer } = await server.newDeveloper();
    const good = () => server.call('GET', `/v1/${accountId}`, { headers: bearer });
    expect((await good()).status).toBe(200);
    let guesses = 0;
    const guess = () => server.call('GET', `/v1/${accountId}`, { headers: { Authorization: `Bearer guess${guesses++}` } });
    expect(statuses(await repeat(4, guess))).toEqual([401, 401, 401, 429]);
    const missing = await server.call('GET', `/v1/${accountId}`);
    expect(missing.status).toBe(429);
    expect(Number(missing.headers['retry-after'])).toBeGreaterThan(0);
    expect((await good()).status).toBe(200);
    clock += 60_000;
    expect((await guess()).status).toBe(401);
  });

  test('is taken from a trusted proxy only', async () => {
    const attempt = (forwardedFor: string) =>
      server.call('GET', '/v1/acc_x', { headers: { 'X-Forwarded-For': forwardedFor } });
    await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '1', SVC_TRUST_PROXY: '127.0.0.1' });
    expect(statuses([await attempt('192.0.2.1'), await attempt('192.0.2.2'), await attempt('192.0.2.1')])).toEqual([
      401, 401, 429,
    ]);
    await server.stop();
    await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '1' });
    expect(statuses([await attempt('192.0.2.1'), await attempt('192.0.2.2')])).toEqual([401, 429]);
  });

  test('is not counted for health checks and descriptions', async () => {
    await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '1' });
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/.well-known/jwks.json']) {
      expect(statuses(await repeat(2, () => server.call('GET', path)))).toEqual([200, 200]);
    }
  });
});

describe('an operator’s limit', () => {
  const wait = async (send: () => Promise<Answer>, status: number): Promise<void> =>
    expect.poll(async () => (await send()).status).toBe(status);

  test('for an account covers all its credentials together, never its management, and can be removed', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '100' });
    const project = await server.newProject();
    const { accountId, bearer } = project.developer;
    const { apiKey } = await server.newApiKey(project);
    const path = `${project.path}/public-state/staging`;
    const byKey = () => server.call('GET', path, { headers: { Authorization: `ApiKey ${apiKey}` } });
    const byDeveloper = () => server.call('GET', path, { headers: bearer });
    expect((await byKey()).headers.ratelimit).toMatch(/r=99;/);
    const beside = await server.place.openParallel();
    try {
      await beside.writeOwnLimits(byOperator, accountId, { requestsPerMinute: 3 });
      // A node notices the change within a second.
      await wait(byKey, 429);
      clock += 60_000;
      const answers = [await byKey(), await byDeveloper(), await byKey(), await byDeveloper(), await byKey()];
      expect(statuses(answers)).toEqual([204, 204, 204, 429, 429]);
      expect(answers.map((answer) => answer.headers.ratelimit)).toEqual(
        [2, 1, 0, 0, 0].map((left) => `"minute";r=${left};t=60`),
      );
      expect(answers[3]?.headers['ratelimit-policy']).toBe('"minute";q=3;w=60');
      expect(answers[3]?.json).toMatchObject({ error: 'rate_limited' });
      clock += 20_000;
      expect((await byKey()).headers['retry-after']).toBe('40');
      expect((await server.call('GET', `/v1/${accountId}/usage`, { headers: bearer })).status).toBe(200);
      await beside.writeOwnLimits(byOperator, accountId, { requestsPerMinute: null });
      await wait(byKey, 204);
    } finally {
      await beside.close();
    }
  });

  test('for a secret key replaces the limit of the settings, higher or lower', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '4' });
    const project = await server.newProject();
    const { accountId } = project.developer;
    const few = await server.newApiKey(project);
    const many = await server.newApiKey(project);
    const send = (apiKey: string) => () =>
      server.call('GET', '/v1/api-key/info', { headers: { Authorization: `ApiKey ${apiKey}` } });
    await server.running.store.limitApiKey(byOperator, accountId, few.id, 2);
    await server.running.store.limitApiKey(byOperator, accountId, many.id, 6);
    expect(statuses(await repeat(4, send(few.apiKey)))).toEqual([200, 200, 429, 429]);
    expect(statuses(await repeat(7, send(many.apiKey)))).toEqual([200, 200, 200, 200, 200, 200, 429]);
    await server.running.store.limitApiKey(byOperator, accountId, many.id, 0);
    expect(statuses(await repeat(9, send(many.apiKey)))).not.toContain(429);
  });

  test('for a publishable key covers all addresses together, beside the limit of each', async () => {
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '3', SVC_TRUST_PROXY: '127.0.0.1' });
    const project = await server.newProject();
    const key = await server.newApiKey(project, { kind: 'publishable' });
    const from = (address: string) => () =>
      server.call('GET', `${project.path}/public-state/staging`, {
        headers: { Authorization: `ApiKey ${key.apiKey}`, 'X-Forwarded-For': address },
      });
    await server.running.store.limitApiKey(byOperator, project.developer.accountId, key.id, 5);
    expect(statuses(await repeat(4, from('203.0.113.1')))).toEqual([204, 204, 204, 429]);
    expect(statuses(await repeat(3, from('203.0.113.2')))).toEqual([204, 204, 429]);
    expect(statuses(await repeat(1, from('203.0.113.3')))).toEqual([429]);
  });
});
