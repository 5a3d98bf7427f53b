/** A code of an authenticator app, used on two nodes of one database. */
import { expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { openAccountWorld, titleOf } from '../login/account-world.ts';
import { startServer } from '../support/server.ts';

test('one of several uses of a code at two nodes signs in', async () => {
  const at = await openAccountWorld();
  const { server, baseUrl } = at.world;
  const port = await freePort();
  const settings = { SVC_PORT: String(port), SVC_BASE_URL: baseUrl, SVC_DEVELOPER_REDIRECT_URIS: at.world.appUri };
  const other = await startServer({
    place: server.place,
    settings: { ...settings, SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' },
    now: at.now,
  });
  try {
    const person = await at.newPerson();
    const { secret } = await at.setUpApp(person);
    for (let round = 0; round < 4; round++) {
      at.pass(30_000);
      const code = at.codeOf(secret);
      const forms = [baseUrl, `http://127.0.0.1:${port}`].map((node) => createFormClient(baseUrl, node));
      const waiting = await Promise.all(forms.map(async (form) => ({ form, page: await at.enter(form, person.address) })));
      const answers = await Promise.all(
        waiting.map(({ form, page }) => form.send(page, '/authorize/second-step', { code })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 422]);
      expect(titleOf(answers.find(({ status }) => status === 200) as never)).toContain('Signed in');
    }
  } finally {
    await other.stop();
    await at.world.stop();
  }
});
