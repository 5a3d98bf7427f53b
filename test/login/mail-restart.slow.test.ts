/** A mail refused by a mail server survives the process that accepted the sign-up, even if that process is killed. */
import { afterEach, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox } from '../../packages/server/src/cli/command.fixture.ts';
import {
  startSmtpServer,
  type TestSmtpServer,
} from '../../packages/server/src/identity/built-in/mails/smtp-server.fixture.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { openPlace, type Place } from '../support/place.ts';

let place: CommandSandbox | undefined;
let data: Place | undefined;
let smtp: TestSmtpServer | undefined;
afterEach(async () => {
  await place?.remove();
  await data?.remove();
  await smtp?.stop();
});

it('a sign-up with a refused mail continues in the next process', async () => {
  smtp = await startSmtpServer();
  place = await createCommandSandbox();
  data = await openPlace();
  smtp.answer = 'later';
  const baseUrl = `http://localhost:${place.environment.SVC_PORT}`;
  const { dataDir, settings } = data;
  const environment = {
    ...settings,
    SVC_DATA_DIR: dataDir,
    SVC_SMTP_URL: smtp.url,
    SVC_HOST: 'localhost',
    SVC_BASE_URL: baseUrl,
    SVC_DEMO: 'off',
  };
  const first = await place.serve(environment);
  const form = createFormClient(baseUrl);
  const query = new URLSearchParams({
    client_id: 'svc-developer',
    redirect_uri: 'http://127.0.0.1:8976/callback',
    response_type: 'code',
    state: 's',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const page = await form.get(`${baseUrl}/authorize/sign-up?${query}`);
  const posted = await form.send(page, '/authorize/sign-up', {
    email: 'ada@mail.example',
    password: 'correct horse battery',
  });
  const confirmation = await form.get(posted.location ?? '');
  expect(confirmation.text).toContain('The message has not been sent yet');
  expect(smtp.tries).toBe(1);
  await first.stop('SIGKILL');

  smtp.answer = 'take';
  await place.serve(environment);
  const { taken } = smtp;
  await expect.poll(() => taken.length, { timeout: 60_000, interval: 200 }).toBe(1);
  expect(taken[0]?.to).toBe('ada@mail.example');
  const done = await form.send(confirmation, '/authorize/confirm', { code: taken[0]?.secret ?? '' });
  expect(done.status).toBe(200);
});
