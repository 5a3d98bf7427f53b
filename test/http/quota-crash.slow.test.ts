/** A killed process loses only the counts since it last saved them to the store, which it does each second. */
import { expect, test } from 'vitest';
import { createCommandSandbox } from '../../packages/server/src/cli/command.fixture.ts';
import { monthOf } from '../../packages/server/src/limits/month-count.ts';
import { withPlace } from '../support/place.ts';

test('API requests reported to the store still count after the process is killed', () =>
  withPlace(async ({ dataDir, settings: shared, openParallel }) => {
    const settings = { ...shared, SVC_DATA_DIR: dataDir };
    const workplace = await createCommandSandbox();
    try {
      const serve = () => workplace.serve({ ...settings, SVC_QUOTA_API_REQUESTS_PER_MONTH: '30' });
      const first = await serve();
      const created = await workplace.run(['account', 'create', '--name', 'Crash', '--json'], settings);
      const { accountId, developerToken } = JSON.parse(created.stdout);
      const account = `http://127.0.0.1:${workplace.environment.SVC_PORT}/v1/${accountId}`;
      const get = (path: string) => fetch(account + path, { headers: { authorization: `Bearer ${developerToken}` } });
      const count = async (times: number) => {
        for (let i = 0; i < times; i++) expect((await get('/users')).status).toBe(200);
      };
      await count(20);
      const store = await openParallel();
      const { startsAt } = monthOf(Date.now());
      await expect.poll(async () => (await store.readUsage(accountId, startsAt))?.used.apiRequests).toBe(20);
      await store.close();
      await count(5);
      await first.stop('SIGKILL');

      const second = await serve();
      await count(1);
      const { apiRequests } = (await (await get('/usage')).json()) as { apiRequests: { used: number; limit: number } };
      const { used, limit } = apiRequests;
      expect(limit).toBe(30);
      expect(used).toBeGreaterThanOrEqual(21);
      expect(used).toBeLessThanOrEqual(26);
      await second.stop();
    } finally {
      await workplace.remove();
    }
  }));
