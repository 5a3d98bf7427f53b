/** What a process that is killed takes with it: only what it counted since it last told the store, which it does each second. */
import { expect, test } from 'vitest';
import { createWorkplace } from '../../packages/server/src/cli/command.fixture.ts';
import { monthOf } from '../../packages/server/src/limits/request-quota.ts';
import { withPlace } from '../support/place.ts';

test('API requests that a process has told the store about are still counted after it was killed', () =>
  withPlace(async ({ dataDir, settings: shared, openBeside }) => {
    const settings = { ...shared, SVC_DATA_DIR: dataDir };
    const workplace = await createWorkplace();
    try {
      const serve = () => workplace.serve({ ...settings, SVC_QUOTA_API_REQUESTS_PER_MONTH: '30' });
      const first = await serve();
      const made = await workplace.run(['account', 'create', '--name', 'Crash', '--json'], settings);
      const { accountId, developerToken } = JSON.parse(made.stdout);
      const usage = `http://127.0.0.1:${workplace.environment.SVC_PORT}/v1/${accountId}/usage`;
      const read = async () => {
        const answer = await fetch(usage, { headers: { authorization: `Bearer ${developerToken}` } });
        const body = (await answer.json()) as { apiRequests: { used: number; limit: number } };
        return { status: answer.status, body };
      };
      for (let i = 0; i < 20; i++) expect((await read()).status).toBe(200);
      const store = await openBeside();
      const { startsAt } = monthOf(Date.now());
      await expect.poll(async () => (await store.readUsage(accountId, startsAt))?.used.apiRequests).toBe(20);
      await store.close();
      for (let i = 0; i < 5; i++) expect((await read()).status).toBe(200);
      await first.stop('SIGKILL');

      const second = await serve();
      const { used, limit } = (await read()).body.apiRequests;
      expect(limit).toBe(30);
      expect(used).toBeGreaterThanOrEqual(21);
      expect(used).toBeLessThanOrEqual(26);
      await second.stop();
    } finally {
      await workplace.remove();
    }
  }));
