/** What a process that is killed takes with it: at most what it counted in its last second. */
import { expect, test } from 'vitest';
import { createWorkplace } from '../../packages/server/src/cli/command.fixture.ts';
import { withPlace } from '../support/place.ts';

test('API requests that were counted a second before the process was killed are still counted', () =>
  withPlace(async ({ settings }) => {
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
      await new Promise((done) => setTimeout(done, 1_000));
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
