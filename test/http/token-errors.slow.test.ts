/** Every refusal at the token endpoint has the body form of RFC 6749. @see docs/contract.md §11.6 */
import { expect, onTestFinished, test } from 'vitest';
import { connectRaw } from '../support/raw.ts';
import { shortAnswerTimeout, startServer, type TestServer } from '../support/server.ts';

const formType = 'application/x-www-form-urlencoded';
const form = 'grant_type=refresh_token&client_id=svc-developer&refresh_token=x';

async function start(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ settings });
  onTestFinished(() => server.stop());
  return server;
}

const post = (server: TestServer, headers: Readonly<Record<string, string>> = {}) =>
  server.call('POST', '/v1/auth/token', { headers: { 'Content-Type': formType, ...headers }, body: form });

/** Expects this error of the token endpoint and no other members. */
function expectForm(text: string, error: string): void {
  expect(JSON.parse(text)).toEqual({ error, error_description: expect.stringMatching(/./) });
}

test('429', async () => {
  const server = await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '1' });
  expect((await post(server)).status).toBe(400);
  const refused = await post(server);
  expect([refused.status, refused.headers['cache-control']]).toEqual([429, 'no-store']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expectForm(refused.text, 'rate_limited');
  // In contrast, the envelope: another route, and another method of the same path.
  const logout = await server.call('POST', '/v1/auth/logout', { body: { refreshToken: 'x' } });
  expect([logout.status, logout.json]).toMatchObject([429, { error: 'rate_limited', message: expect.any(String) }]);
  expect((await server.call('GET', '/v1/auth/token')).json).toMatchObject({ message: expect.any(String) });
});

test('503 while the store cannot write', async () => {
  const server = await start({ ...shortAnswerTimeout, SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' });
  const letGo = await server.place.holdWrites();
  const refused = await server.call('POST', '/v1/auth/token', {
    headers: { 'Content-Type': formType },
    body: `grant_type=refresh_token&client_id=svc-developer&refresh_token=svcr_${'A'.repeat(22)}.${'B'.repeat(43)}`,
  });
  await letGo();
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
  expectForm(refused.text, 'service_unavailable');
});

test('503 of an overloaded service', async () => {
  const server = await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' });
  const connection = await connectRaw(server.baseUrl);
  const head = `POST /v1/auth/token?a=b HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\nContent-Length: ${form.length}\r\n\r\n`;
  // The first waits for its body, and more than the queue allows follow it.
  connection.send(head);
  connection.send(form + (head + form).repeat(80));
  let last = await connection.answer();
  while (last.status === 400) {
    expectForm(last.body.toString(), 'invalid_grant');
    last = await connection.answer();
  }
  connection.close();
  expect(last.status).toBe(503);
  expectForm(last.body.toString(), 'service_unavailable');
});

test.each([
  ['417', `Expect: 200-ok\r\nContent-Length: ${form.length}\r\n\r\n${form}`, 417, 'expectation_failed'],
  [
    '400 for a duplicate header',
    'Authorization: a\r\nAuthorization: b\r\nContent-Length: 0\r\n\r\n',
    400,
    'invalid_request',
  ],
  ['400 for a broken body', 'Transfer-Encoding: chunked\r\n\r\nno chunk', 400, 'invalid_request'],
])('%s', async (_, rest, status, error) => {
  const server = await start({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' });
  const connection = await connectRaw(server.baseUrl);
  connection.send(`POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\n${rest}`);
  const answer = await connection.answer();
  connection.close();
  expect(answer.status).toBe(status);
  expectForm(answer.body.toString(), error);
});
